// `npm run check`: what is worth knowing before every commit, in less than 30 seconds.
import { glob } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { localeProblems } from './check-locales.ts'
import { lockProblems } from './check-lock.ts'
import { shapeProblems } from './check-shape.ts'
import { type Phase, problems, program, runPhases, runProgram } from './phases.ts'

const top = resolve(import.meta.dirname, '..')

export const checks: readonly Phase[] = [
  program('types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', 'out/types.tsbuildinfo']),
  program('lint', 'biome', ['check', '--error-on-warnings']),
  program('dead code', 'knip', ['--no-progress']),
  problems('lock file', () => lockProblems(top)),
  problems('shape', () => shapeProblems(top)),
  problems('locales', () => localeProblems(top)),
  tests('server tests', ['test/server/**/*.test.ts'], { excluding: '.long.test.', flags: atOnce(availableParallelism()) }),
  // Each file has a process of its own: they set the page's globals, and the state that the interface keeps lives in modules.
  tests('interface tests', ['test/ui/**/*.test.ts'], { flags: atOnce(availableParallelism()) }),
]

type How = { excluding?: string; flags?: readonly string[]; env?: NodeJS.ProcessEnv }

/** As many test files at once as that, each in a process of its own. */
export function atOnce(files: number): string[] {
  return [`--test-concurrency=${files}`]
}

/** Runs the test files that the patterns name. A phase without a single file fails: a renamed folder must not pass for success. */
export function tests(name: string, patterns: readonly string[], { excluding, flags = [], env = {} }: How = {}): Phase {
  return {
    name,
    run: async () => {
      const files: string[] = []
      for await (const file of glob([...patterns], { cwd: top })) if (!excluding || !file.includes(excluding)) files.push(file)
      if (files.length === 0) throw new Error(`no test matches ${patterns.join(' ')}`)
      await runProgram(process.execPath, ['--test', ...flags, ...files.sort()], env)
    },
  }
}

if (import.meta.main) process.exitCode = await runPhases(checks)
