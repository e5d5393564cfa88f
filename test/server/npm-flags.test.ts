import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flagsKeptByNpm } from '../../scripts/npm-flags.ts'

test('a flag that npm has consumed is named', () => {
  assert.deepEqual(flagsKeptByNpm({ npm_config_port: '9000', npm_config_cache_dir: 'true', INIT_CWD: '/' }), [
    '--port',
    '--cache-dir',
  ])
})

test("npm's own configuration is not mistaken for options of Holdall", () => {
  assert.deepEqual(
    flagsKeptByNpm({ npm_config_cert: '…', npm_config_loglevel: 'warn', npm_config_cache: '/c', npm_config_version: '1' }),
    [],
  )
})
