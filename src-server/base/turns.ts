/** Those who wait for their turn, the next one first. */
const waiting: (() => void)[] = []

/**
 * Lets the event loop run. Of all long work one goes on in each turn of the loop, so that a request that needs several turns is not
 * delayed by all of them in each.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.push(resolve) === 1) setImmediate(goOn)
  return promise
}

function goOn() {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}
