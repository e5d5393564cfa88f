// docs/running.md: each block is run or parsed here, or says itself that it is untried.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lexer } from 'marked'
import { askHealth } from '../../src-server/ask-health.ts'
import { resetPassword } from '../../src-server/reset-password.ts'
import { ensureAdministrator } from '../../src-server/users/first-administrator.ts'
import { makeStartFolder, start as readStart } from '../support/read-start.ts'
import { downloaded, share, sharesOf } from '../support/share-calls.ts'
import { password, startApp, type TestApp } from '../support/start-app.ts'
import { temporaryFolder, userIn } from '../support/start-state.ts'

const top = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(top, 'docs/running.md'), 'utf8')

type Block = Readonly<{ heading: string; code: string; mark: string }>

/** The blocks of the document, each with its heading and the first word of the paragraph below it. */
function blocksOf(markdown: string): Block[] {
  const tokens = lexer(markdown).filter(({ type }) => type !== 'space')
  let heading = ''
  return tokens.flatMap((token, index) => {
    if (token.type === 'heading') heading = token.text
    if (token.type !== 'code') return []
    const mark = /^\*(Run|Parsed|Untried)[.:]/.exec(tokens[index + 1]?.raw ?? '')?.[1] ?? ''
    return [{ heading, code: token.text, mark }]
  })
}

const blocks = blocksOf(text)
const codeBelow = (heading: string) => blocks.find((block) => block.heading === heading)?.code ?? ''

/** Reads a line `holdall …` as the executable does. @param at what takes the place of /srv and /data, which need not exist here */
function parsed(line: string, at: string) {
  const [program, ...argv] = line.replaceAll('/srv/', `${at}/`).replaceAll('/data/', `${at}/`).split(' ')
  assert.equal(program, 'holdall')
  return readStart(at, argv)
}

test('each block of the document says how it is tried', () => {
  assert.deepEqual(
    blocks.map(({ heading, mark }) => `${heading}: ${mark}`),
    [
      'In a container: Untried',
      'Behind nginx: Parsed',
      'Behind Caddy: Parsed',
      'Backup: Run',
      'Restore: Run',
      'A forgotten password: Run',
      'A forgotten password: Untried',
    ],
  )
  for (const { mark, code } of blocks) if (mark === 'Untried') assert.match(code, /^docker /)
})

test('the options behind a proxy are those that its file names', (t) => {
  for (const [heading, file] of [
    ['Behind nginx', 'nginx.conf'],
    ['Behind Caddy', 'Caddyfile'],
  ] as const) {
    const start = parsed(codeBelow(heading), makeStartFolder(t))
    assert.ok(start.kind === 'serve')
    const { baseURL, trustedProxies, address, port } = start.options
    assert.deepEqual([baseURL, trustedProxies, `${address}:${port}`], ['/files', ['127.0.0.1'], '127.0.0.1:8080'])
    const proxy = readFileSync(join(top, 'docs/running', file), 'utf8')
    assert.ok(proxy.includes(codeBelow(heading)) && proxy.includes(`${address}:${port}`))
  }
})

/** The instructions of the last stage of the Dockerfile, with what follows each. */
function instructions(): [name: string, rest: string][] {
  const lines = readFileSync(join(top, 'Dockerfile'), 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, '')
    .trim()
    .split(/\n+/)
  const all = lines.map((line): [string, string] => {
    const [name = '', ...rest] = line.split(' ')
    return [name, rest.join(' ')]
  })
  for (const [name] of all) assert.match(name, /^(FROM|WORKDIR|COPY|RUN|USER|EXPOSE|VOLUME|ENV|HEALTHCHECK|ENTRYPOINT)$/)
  return all.slice(all.findLastIndex(([name]) => name === 'FROM'))
}

test('the Dockerfile fits its run line, and its server tells where the first password is and that it is well', async (t) => {
  const of = Object.fromEntries(instructions())
  const run = codeBelow('In a container')
  assert.ok(run.includes(`:${of.EXPOSE} `))
  for (const folder of JSON.parse(of.VOLUME ?? '') as string[]) assert.match(run, new RegExp(`-v \\S+:${folder} `))
  const folder = makeStartFolder(t)
  const variables = (of.ENV ?? '').replace('=/files', `=${folder}/files`).replace('=/data/', `=${folder}/`)
  const env = Object.fromEntries(variables.split(' ').map((pair) => pair.split('=') as [string, string]))
  const [program, ...argv] = JSON.parse(/CMD (.*)/.exec(of.HEALTHCHECK ?? '')?.[1] ?? '') as string[]
  assert.deepEqual([program], JSON.parse(of.ENTRYPOINT ?? ''))
  const [serving, health] = [readStart(folder, [], { ...env }), readStart(folder, argv, { ...env })]
  assert.ok(serving.kind === 'serve' && health.kind === 'health')
  assert.deepEqual([serving.options.address, serving.options.port], ['0.0.0.0', Number(of.EXPOSE)])
  const app = await startApp(t, { users: {}, options: { ...serving.options, port: 0, logLevel: 'silent' } })
  assert.equal(await askHealth({ ...health.options, port: app.port }, assert.fail), 0)
  const { accounts, state } = app.parts
  const first = await ensureAdministrator({
    accounts,
    state,
    given: () => undefined,
    isTerminal: false,
  })
  assert.ok(first && 'file' in first)
  assert.ok(text.includes(` /data${first.file.slice(folder.length)}\``) && existsSync(first.file))
  await accounts.changePassword(userIn(state, first.username)?.id ?? 0, 'another long password')
  assert.ok(!existsSync(first.file))
})

/** A server whose state is `holdall.json` in a folder. */
const startIn = (t: TestContext, folder: string, users = {}): Promise<TestApp> =>
  startApp(t, { users, files: { 'a.txt': 'content' }, options: { database: join(folder, 'holdall.json') } })

/** Runs a block in a shell, with other folders in place of /data and /backup. */
function runIn(code: string, data: string, backup: string) {
  execFileSync('sh', ['-c', code.replaceAll('/data/', `${data}/`).replaceAll('/backup/', `${backup}/`)])
}

test('two files are copied while the server runs, and bring back people, sessions, links and their counts', async (t) => {
  const [data, backup, other] = [temporaryFolder(t), temporaryFolder(t), join(temporaryFolder(t), 'data')]
  mkdirSync(other)
  const app = await startIn(t, data, { ann: {} })
  const ann = await app.as('ann')
  const { hash } = await share(ann, '/a.txt', {})
  assert.deepEqual(await downloaded(app.principal(), hash), [200, 'content'])
  assert.deepEqual(
    (await sharesOf(ann)).map(({ downloads }) => downloads),
    [1],
  )
  runIn(codeBelow('Backup'), data, backup)
  await app.parts.accounts.create({ username: 'later', password, perm: app.parts.state.data.users[0]?.perm ?? assert.fail() })
  await app.close()
  runIn(codeBelow('Restore'), other, backup)
  assert.equal(statSync(join(other, 'holdall.json')).mode & 0o777, 0o600)
  const again = await startIn(t, other)
  assert.deepEqual(
    again.parts.state.data.users.map(({ username }) => username),
    ['ann'],
  )
  const links = await again.principal().ask('GET', '/api/shares', { headers: { 'X-Auth': ann.token ?? '' } })
  assert.equal(links.status, 200, 'the session goes on')
  assert.deepEqual(
    ((await links.json()) as { hash: string; downloads: number }[]).map((link) => [link.hash, link.downloads]),
    [[hash, 1]],
  )
})

test('the line for a forgotten password gives a new one', async (t) => {
  const folder = makeStartFolder(t)
  const app = await startIn(t, folder, { admin: {} })
  await app.close()
  const start = parsed(codeBelow('A forgotten password'), folder)
  assert.ok(start.kind === 'reset-password')
  const said: string[] = []
  await resetPassword(start, { say: (line) => said.push(line), isTerminal: true })
  assert.match(said.join(), /^The new password of admin is \w{20} /)
})
