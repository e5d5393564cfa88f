// `npm run check`: the checks to run before every commit, in less than 30 seconds.
import { resolve } from 'node:path'
import { localeProblems } from './check-locales.ts'
import { lockProblems } from './check-lock.ts'
import { shapeProblems } from './check-shape.ts'
import { wordProblems } from './check-words.ts'
import { type Phase, problems, program, runPhases, together } from './phases.ts'
import { tests } from './test-files.ts'

const top = resolve(import.meta.dirname, '..')

/** All checks but the unit tests. */
export const sourceChecks: Phase = together('checks of the sources', [
  program('types', 'tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', 'out/types.tsbuildinfo']),
  program('lint', 'biome', ['check', '--error-on-warnings']),
  program('dead code', 'knip', ['--no-progress']),
  problems('lock file', () => lockProblems(top)),
  problems('shape', () => shapeProblems(top)),
  problems('words', () => wordProblems(top)),
  problems('locales', () => localeProblems(top)),
])

if (import.meta.main) process.exitCode = await runPhases([sourceChecks, tests('unit tests', ['unit'])])
