// A blocked file system does not block calls to others.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryFolder } from '../support/tree.ts'

test('while twelve calls block, other folders are listed, written to and read', async (t) => {
  const folder = await temporaryFolder(t)
  mkdirSync(join(folder, 'files'))
  const script = resolve(import.meta.dirname, '../support/block-thread-pool.ts')
  const { UV_THREADPOOL_SIZE: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder], { env })
  assert.equal(stdout, 'new written')
})
