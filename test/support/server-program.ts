// The server as a program: the packaged executable when HOLDALL_TEST_EXECUTABLE names it, else the bundle.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { makeBundle } from '../../scripts/bundle.ts'

/** The command and its first arguments. */
export async function findProgram(): Promise<readonly string[]> {
  const executable = process.env.HOLDALL_TEST_EXECUTABLE
  return executable === undefined ? [process.execPath, await makeBundle(() => {})] : [resolve(executable)]
}

type ProgramParts = {
  program: readonly string[]
  /** The folder with `files`, which is made, and `holdall.json`; the working folder too, unless `cwd` is another. */
  folder: string
  cwd?: string
  args?: readonly string[]
  /** The options for listening; any free port by default. */
  listen?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** A descriptor; a pipe by default. */
  stdout?: number
  stderr?: number
}

/** Starts the server with only `env` as its environment. It is killed at the end of the test. */
export function startProgram(t: TestContext, { program, folder, args = [], env = {}, ...streams }: ProgramParts): ChildProcess {
  const { listen = ['--port', '0'], stdout = 'pipe', stderr = 'pipe', cwd } = streams
  const [command = '', ...first] = program
  mkdirSync(join(folder, 'files'), { recursive: true })
  const inFolder = (name: string) => (cwd === undefined ? name : join(folder, name))
  const usual = ['--root', inFolder('files'), ...listen, '--database', inFolder('holdall.json')]
  const child = spawn(command, [...first, ...usual, ...args], { cwd: cwd ?? folder, env, stdio: ['ignore', stdout, stderr] })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Waits until a program has exited. */
export async function ended(child: ChildProcess): Promise<{ code: number | null; output: string; errors: string }> {
  const texts = { output: '', errors: '' }
  child.stdout?.on('data', (chunk) => {
    texts.output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    texts.errors += chunk
  })
  const [code] = await once(child, 'close')
  return { code, ...texts }
}
