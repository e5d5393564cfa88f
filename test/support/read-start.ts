// Reads options in a folder made for a test.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Options } from '../../src-server/options/options.ts'
import { readOptions, type StartContext } from '../../src-server/options/read-options.ts'
import { localhost, stranger } from './certificates.ts'
import { temporaryFolder } from './start-state.ts'

export type Env = Record<string, string | undefined>

/** A folder to start from, with a folder `files`, a file `file` and the folder `bin` of the executable. */
export function makeStartFolder(t: TestContext): string {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'files'))
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'file'), 'text')
  return folder
}

/** Reads the options as the packaged executable does in `folder`; `more` overrides the context. */
export function start(folder: string, argv: readonly string[] = [], env: Env = {}, more: Partial<StartContext> = {}) {
  const executable = join(folder, 'bin/holdall')
  return readOptions({ argv, env, cwd: folder, location: { executable }, version: '1.2.3', ...more })
}

/** The options of a start as a server. */
export function read(folder: string, argv: readonly string[] = [], env: Env = {}, more: Partial<StartContext> = {}): Options {
  const result = start(folder, argv, env, more)
  assert.ok(result.kind === 'serve')
  return result.options
}

/** Writes a certificate, its key, and the key of another. */
export function certificates(folder: string) {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(cert, localhost.cert)
  writeFileSync(key, localhost.key)
  writeFileSync(join(folder, 'other-key.pem'), stranger.key)
  return { cert, key }
}
