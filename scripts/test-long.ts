// `npm run test:long`: what `npm test` does in small numbers again in full ones, and what it leaves out: the tests that measure, those
// that run every command one after another, details of pages, and each screen in every language. With `--full` the numbers take hours.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { program, runPhases } from './phases.ts'
import { preparations, withExecutable } from './test.ts'
import { tests } from './test-files.ts'

const { values: flags } = parseArgs({ options: { full: { type: 'boolean', default: false } } })
const env = { ...withExecutable, HOLDALL_TEST_SCALE: flags.full ? 'full' : 'long' }

process.exitCode = await runPhases([
  ...preparations,
  tests('tests in full numbers', ['scaled', 'everyCommand', 'detail'], { env, processes: availableParallelism() + 1 }),
  tests('tests that measure', ['measuring'], { env, processes: 1 }),
  program('clipped texts', 'node', ['scripts/check-clipping.ts']),
])
