// `npm test`: everything in `npm run check`, then the API tests, the long tests, and the browser tests with the executable.
import { makeBundle } from './bundle.ts'
import { checks } from './check.ts'
import { findChromium } from './find-chromium.ts'
import { findFont, fontNames } from './find-fonts.ts'
import { executable, makeExecutable } from './package.ts'
import { runPhases } from './phases.ts'
import { tests } from './test-files.ts'

const env = { HOLDALL_TEST_EXECUTABLE: executable }

process.exitCode = await runPhases([
  ...checks,
  tests('API tests', ['api']),
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
  tests('long tests', ['long'], env),
  tests('browser tests', ['browser'], env),
  tests('browser tests that measure', ['measuring'], env),
])
