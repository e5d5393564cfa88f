// `npm test`: everything in `npm run check`, then the API tests, the tests of the program and the browser tests with the executable.
import { makeBundle } from './bundle.ts'
import { checks } from './check.ts'
import { findChromium } from './find-chromium.ts'
import { findFont, fontNames } from './find-fonts.ts'
import { executable, makeExecutable } from './package.ts'
import { type Phase, runPhases } from './phases.ts'
import { tests } from './test-files.ts'

/** What the tests need that start the executable and a browser. */
export const preparations: readonly Phase[] = [
  {
    name: 'executable',
    run: async () => {
      await makeBundle(console.log)
      await makeExecutable()
    },
  },
  {
    name: 'browser and fonts',
    run: async () => {
      process.env.CHROMIUM_PATH = findChromium()
      console.log([process.env.CHROMIUM_PATH, ...fontNames.flatMap((name) => findFont(name))].join('\n'))
    },
  },
]

/** The environment of tests that start the executable. */
export const withExecutable: NodeJS.ProcessEnv = { HOLDALL_TEST_EXECUTABLE: executable }

if (import.meta.main) {
  process.exitCode = await runPhases([
    ...checks,
    tests('API tests', 'api'),
    ...preparations,
    tests('long tests', 'long', withExecutable),
    tests('browser tests', 'browser', withExecutable),
  ])
}
