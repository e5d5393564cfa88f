// `npm test`: everything in `npm run check`, then the API tests, the tests of the program and the browser tests with the executable.
// `npm test -- --before-long` leaves out what `npm run test:long`, which is to follow, does in larger numbers.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { makeBundle } from './bundle.ts'
import { sourceChecks } from './check.ts'
import { findChromium } from './find-chromium.ts'
import { findFont, fontNames } from './find-fonts.ts'
import { executable, makeExecutable } from './package.ts'
import { type Phase, runPhases, together } from './phases.ts'
import { tests } from './test-files.ts'

/** What the tests need that start a browser. */
const browserAndFonts: Phase = {
  name: 'browser and fonts',
  run: async () => {
    process.env.CHROMIUM_PATH = findChromium()
    console.log([process.env.CHROMIUM_PATH, ...fontNames.flatMap((name) => findFont(name))].join('\n'))
  },
}

const bundle: Phase = { name: 'bundle', run: async () => void (await makeBundle(console.log)) }
const packed: Phase = { name: 'executable', run: async () => void (await makeExecutable()) }

/** What the tests need that start the executable and a browser. */
export const preparations: readonly Phase[] = [bundle, packed, browserAndFonts]

/** The environment of tests that start the executable. */
export const withExecutable: NodeJS.ProcessEnv = { HOLDALL_TEST_EXECUTABLE: executable }

if (import.meta.main) {
  const { values: flags } = parseArgs({ options: { 'before-long': { type: 'boolean', default: false } } })
  const withoutScaled = flags['before-long']
  process.exitCode = await runPhases([
    sourceChecks,
    browserAndFonts,
    // Unit tests make the bundle where there is none.
    bundle,
    together('unit tests and executable', [packed, tests('unit tests', ['unit'], { withoutScaled })]),
    // API and long tests wait for timers and the disk: one process more gets what the browser tests leave.
    tests('all other tests', ['browser', 'api', 'long'], {
      env: withExecutable,
      processes: availableParallelism() + 1,
      withoutScaled,
    }),
  ])
}
