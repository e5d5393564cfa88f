/**
 * Does the work for each item, at most `atOnce` at a time. When one fails, no more are started, and the running ones are
 * awaited: no work may run in a folder whose handle was closed. @throws the first error
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

/** Runs added work, at most `atOnce` at a time. After an error no more is started. */
export class TaskGroup {
  readonly #atOnce: number
  readonly #running = new Set<Promise<void>>()
  #failure: { error: unknown } | undefined

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Starts the work as soon as fewer than `atOnce` are running. @throws the first error of any */
  async add(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#atOnce) await Promise.race(this.#running)
    this.#throwFailure()
    const noted = work()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#running.delete(noted))
    this.#running.add(noted)
  }

  /** Waits for all. @throws the first error of any */
  async finish(): Promise<void> {
    await this.settle()
    this.#throwFailure()
  }

  /** Waits until nothing runs any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #throwFailure() {
    if (this.#failure) throw this.#failure.error
  }
}
