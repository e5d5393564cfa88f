import assert from 'node:assert/strict'

/** Waits until a condition holds. Fails after ninety seconds. @param what the condition, for the error message */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 90_000
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(what)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
