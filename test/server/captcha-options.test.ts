// The options of the captcha.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { StartupError } from '../../src-server/base/startup-error.ts'
import { makeStartFolder, read } from '../support/read-start.ts'

test('key and secret turn the captcha on; the secret is in a file and is not printed', (t) => {
  const folder = makeStartFolder(t)
  writeFileSync(join(folder, 'secret'), 'a secret\n')
  assert.equal(read(folder).captcha, undefined)
  const { captcha } = read(folder, ['--captcha-key', 'site_key-1', '--captcha-secret-file', 'secret'])
  assert.deepEqual([captcha?.host, captcha?.key, captcha?.secret()], ['https://www.google.com', 'site_key-1', 'a secret'])
  assert.equal(captcha?.secretFile, join(folder, 'secret'))
  assert.doesNotMatch(inspect(captcha, { depth: 9 }), /a secret/)
})

test('variables and the file set them too', (t) => {
  const folder = makeStartFolder(t)
  writeFileSync(join(folder, 'secret'), 'a secret')
  writeFileSync(join(folder, 'c.json'), '{"captcha-key":"k","captcha-secret-file":"secret"}')
  const { captcha } = read(folder, ['--config', 'c.json'], { HOLDALL_CAPTCHA_HOST: 'https://captcha.example' })
  assert.deepEqual([captcha?.host, captcha?.key, captcha?.secret()], ['https://captcha.example', 'k', 'a secret'])
})

const key = ['--captcha-key', 'k']
const both = [...key, '--captcha-secret-file', 'secret']
const refused: readonly (readonly [what: string, argv: readonly string[], sentence: RegExp])[] = [
  ['a key without a secret', key, /--captcha-key needs --captcha-secret-file/],
  ['a secret without a key', ['--captcha-secret-file', 'secret'], /--captcha-secret-file needs --captcha-key/],
  ['a host alone', ['--captcha-host', 'https://x.example'], /--captcha-host needs --captcha-key/],
  ['a missing file', [...key, '--captcha-secret-file', 'none'], /cannot be read/],
  ['an empty file', [...key, '--captcha-secret-file', 'empty'], /holds no secret/],
  ['a key that leaves its place in the page', ['--captcha-key', 'a"b', '--captcha-secret-file', 'secret'], /is not a key/],
  ['a host without TLS', [...both, '--captcha-host', 'http://captcha.example'], /is not a host of captchas/],
  ['a host with a path', [...both, '--captcha-host', 'https://captcha.example/x'], /is not a host of captchas/],
  ['a host that changes the policy', [...both, '--captcha-host', 'https://x.example; script-src *'], /is not a host of captchas/],
]

for (const [what, argv, sentence] of refused) {
  test(`${what} is refused in one sentence`, (t) => {
    const folder = makeStartFolder(t)
    writeFileSync(join(folder, 'secret'), 'a secret')
    writeFileSync(join(folder, 'empty'), '\n')
    assert.throws(
      () => read(folder, argv),
      (error: Error) => error instanceof StartupError && sentence.test(error.message),
    )
  })
}

test('a stand-in on this machine needs no TLS', (t) => {
  const folder = makeStartFolder(t)
  writeFileSync(join(folder, 'secret'), 'a secret')
  assert.equal(read(folder, [...both, '--captcha-host', 'http://127.0.0.1:8081/']).captcha?.host, 'http://127.0.0.1:8081')
})
