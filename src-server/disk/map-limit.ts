/**
 * Does the work for each item, at most `atOnce` of them at a time. When one fails, no more are begun, and those that were are
 * waited for: nothing may go on in a folder that was let go. @throws the first error
 */
export async function mapLimit<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  let hasFailed = false
  const runner = async () => {
    while (!hasFailed && next < items.length) {
      const index = next++
      await work(items[index] as T, index).catch((error) => {
        hasFailed = true
        throw error
      })
    }
  }
  const runs = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, runner))
  for (const run of runs) if (run.status === 'rejected') throw run.reason
}
