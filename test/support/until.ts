import assert from 'node:assert/strict'

/** Milliseconds that a test waits for one thing. What takes longer, such as a thousand uploads, is waited for with a time of its own. */
export const longestWait = 20_000

/** Waits until a condition holds. @param what the condition, for the error message @param longest milliseconds after which it fails */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string),
  longest = longestWait,
): Promise<void> {
  const end = Date.now() + longest
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(typeof what === 'string' ? what : what())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
