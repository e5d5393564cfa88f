import assert from 'node:assert/strict'

/** Waits until something holds; after thirty seconds it fails, and says what did not. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(what)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
