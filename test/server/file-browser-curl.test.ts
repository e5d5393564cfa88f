// The lines of test/clients/curl.txt, which people post for File Browser, against the server.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { allPermissions } from '../../src-server/access/permissions.ts'
import { startApp } from '../support/start-app.ts'
import { plant } from '../support/tree.ts'

type Call = Readonly<{ from: string; line: string; output: RegExp }>

const text = readFileSync(new URL('../clients/curl.txt', import.meta.url), 'utf8')
const calls = text.split('\n\n').slice(1).map(callIn)

function callIn(block: string): Call {
  const [, from = '', line = '', output = ''] = /^from (.+)\n\$ (.+)\n> (.+)\n*$/.exec(block) ?? []
  assert.ok(line !== '', block)
  return { from, line, output: new RegExp(output) }
}

test('what people post for File Browser works', async (t) => {
  const password = 'a-long-and-easy-password'
  const app = await startApp(t, {
    files: { 'disk/film.mp4': 'the film\n', 'disk/old name/': '' },
    users: {},
  })
  await app.parts.accounts.create({ username: 'admin', password, scope: '/', perm: allPermissions })
  const folder = join(app.folder, 'client')
  mkdirSync(folder)
  await plant(folder, { 'report.txt': 'the report\n', 'two words.txt': 'both\n', 'picture.png': '\u0000\r\n\n&=%' })
  const lines = calls.map(({ line }, index) => `echo "@@ ${index}"\n${line}`)
  const env = { ...process.env, URL: app.url, ROOT: app.root, ADMIN: password }
  const { stdout } = await promisify(execFile)('bash', ['-uc', [...lines, 'true'].join('\n')], { cwd: folder, env })
  const outputs = stdout.split(/@@ \d+\n/).slice(1)
  for (const [index, { from, line, output }] of calls.entries())
    await t.test(`${from}: ${line}`, () => assert.match(outputs[index] ?? '', output))
  assert.ok(calls.length >= 25, `${calls.length} lines`)
})
