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
  /** Where `files` and `holdall.json` lie; `files` is made. */
  folder: string
  args?: readonly string[]
  /** Where it listens; a free port unless it is said. */
  listen?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** A pipe unless it is said. */
  stdout?: number
  stderr?: number
}

/** Serves `files`, with nothing in its environment but `env`; killed with the test. */
export function startProgram(t: TestContext, { program, folder, args = [], env = {}, ...streams }: ProgramParts): ChildProcess {
  const { listen = ['--port', '0'], stdout = 'pipe', stderr = 'pipe' } = streams
  const [command = '', ...first] = program
  mkdirSync(join(folder, 'files'), { recursive: true })
  const usual = ['--root', 'files', ...listen, '--database', 'holdall.json']
  const child = spawn(command, [...first, ...usual, ...args], { cwd: folder, env, stdio: ['ignore', stdout, stderr] })
  t.after(() => child.kill('SIGKILL'))
  return child
}

/** Waits for a program that ends by itself. */
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
