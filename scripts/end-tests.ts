// Loaded before the test files of a process. A test that fails before it has closed its server leaves the process open, and the whole
// run would wait for it.
import { after } from 'node:test'

/** Milliseconds that a process may stay after its last test. */
const longest = Number(process.env.HOLDALL_TEST_OPEN ?? 60_000)

/** Ends this process as failed, and says what is open, when something still keeps it long after its tests. To be called after them. */
export function endSoon(): void {
  setTimeout(() => {
    console.error(
      `${process.argv[1]} is still open ${longest / 1000} s after its tests: ${process.getActiveResourcesInfo().join(', ')}`,
    )
    process.exit(1)
  }, longest).unref()
}

// With the list, this hook is called after the first file: `run-test-files.ts` calls it after the last.
if (!process.argv[1]?.endsWith('run-test-files.ts')) after(endSoon)
