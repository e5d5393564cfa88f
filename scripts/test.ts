// `npm test`: everything that `npm run check` looks at, then the executable, the long tests and a real browser against it.
import { makeBundle } from './bundle.ts'
import { atOnce, checks, tests } from './check.ts'
import { findChromium } from './find-chromium.ts'
import { executable, makeExecutable } from './package.ts'
import { runPhases } from './phases.ts'

const env = { HOLDALL_TEST_EXECUTABLE: executable }

process.exitCode = await runPhases([
  ...checks,
  {
    name: 'executable',
    run: async () => {
      await makeBundle(console.log)
      await makeExecutable()
    },
  },
  tests('long tests', ['test/**/*.long.test.ts'], { env, flags: atOnce(1) }),
  {
    name: 'browser',
    run: async () => {
      process.env.CHROMIUM_PATH = findChromium()
    },
  },
  tests('browser tests', ['test/e2e/**/*.test.ts'], { excluding: '.long.test.', env, flags: atOnce(1) }),
])
