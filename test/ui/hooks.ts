import * as runner from 'node:test'

/**
 * `beforeEach` and `afterEach` for the tests of one file. All files run in one process, where the runner's own hooks
 * would run for the tests of every file.
 * @param file the test file: `import.meta.filename`
 */
export function hooksOf(file: string) {
  const only = (work: () => unknown) => (context: unknown) => {
    return (context as runner.TestContext).filePath === file ? work() : undefined
  }
  return {
    beforeEach: (work: () => unknown): void => runner.beforeEach(only(work)),
    afterEach: (work: () => unknown): void => runner.afterEach(only(work)),
  }
}
