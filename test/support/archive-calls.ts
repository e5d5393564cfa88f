// Downloads of archives in tests of the server.
import assert from 'node:assert/strict'
import { chmodSync } from 'node:fs'
import type { TestContext } from 'node:test'
import type { PrincipalCalls } from './as-principal.ts'
import { readZip } from './read-zip.ts'
import { startApp, type TestApp } from './start-app.ts'
import type { Tree } from './tree.ts'

/** A server, and the lines of its log. */
export async function startLogging(t: TestContext, files: Tree) {
  const lines: string[] = []
  t.mock.method(process.stderr, 'write', (line: string) => lines.push(line) > 0)
  const app = await startApp(t, { files, options: { logLevel: 'warn' } })
  const logged = () =>
    lines
      .filter((line) => typeof line === 'string' && line.startsWith('{'))
      .map((line) => JSON.parse(line) as { msg: string; path?: string })
  return { app, ann: await app.as('ann'), logged }
}

/** Root may read everything. */
export async function withoutPrivileges<T>({ folder }: TestApp, work: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0
  chmodSync(folder, 0o755)
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

/** The files of a zip archive, in their order, which is checked to the last byte. */
export async function zipped(principal: PrincipalCalls, path: string, query = ''): Promise<Record<string, string>> {
  const answer = await principal.raw(path, query)
  assert.equal(answer.status, 200, query)
  const { entries } = readZip([new Uint8Array(await answer.arrayBuffer())])
  return Object.fromEntries(entries.map(({ name, content }) => [name, content().toString()]))
}
