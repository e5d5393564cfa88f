// Which tests there are: by their place, their name, and whether they start a server.
import { glob, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { type Phase, runProgram } from './phases.ts'

const top = resolve(import.meta.dirname, '..')

/** unit: a part alone. api: calls to a running server. long: minutes, by the name `*.long.test.ts`. browser: test/e2e. */
export type Kind = 'unit' | 'api' | 'long' | 'browser'

/** What a test that talks to a server begins with. */
const startsServer = /from '[./]*support\/start-app\.ts'/

/** A phase that runs all tests of one kind. It fails when there is none: a folder that was renamed must not pass for success. */
export function tests(name: string, kind: Kind, env: NodeJS.ProcessEnv = {}): Phase {
  return {
    name,
    run: async () => {
      const files = await testFiles(kind)
      if (files.length === 0) throw new Error(`there are no ${kind} tests`)
      // What needs a whole machine, or asks how much memory something takes, runs alone.
      const atOnce = kind === 'unit' || kind === 'api' ? availableParallelism() : 1
      await runProgram(process.execPath, ['--test', `--test-concurrency=${atOnce}`, ...files], env)
    },
  }
}

export async function testFiles(kind: Kind, folder = top): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('test/**/*.test.ts', { cwd: folder })) if ((await kindOf(folder, file)) === kind) files.push(file)
  return files.sort()
}

async function kindOf(folder: string, file: string): Promise<Kind> {
  if (file.endsWith('.long.test.ts')) return 'long'
  if (file.startsWith('test/e2e/')) return 'browser'
  return startsServer.test(await readFile(join(folder, file), 'utf8')) ? 'api' : 'unit'
}
