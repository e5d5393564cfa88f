import { signal } from '@preact/signals-core'
import { checkVersion } from './outdated.ts'

/** Milliseconds after which loading a part fails. */
const timeLimit = 120_000

/** A part of the page whose code is loaded when it is needed. A failed attempt is repeated once; after that the next `load` tries again. */
export class LazyPart<T> {
  readonly #importPart: () => Promise<T>
  /** The part; undefined until it is loaded. */
  readonly value = signal<T | undefined>(undefined)
  #loading: Promise<void> | undefined
  #wasTried = false

  constructor(importPart: () => Promise<T>) {
    this.#importPart = importPart
  }

  /** @throws Error when the part cannot be loaded within 120 s */
  load(): Promise<void> {
    this.#wasTried = true
    if (this.value.peek() !== undefined) return Promise.resolve()
    this.#loading ??= withinLimit(this.#importTwice())
      .then((part) => {
        this.value.value = part
      })
      .catch(async (cause) => {
        await checkVersion()
        throw cause
      })
      .finally(() => {
        this.#loading = undefined
      })
    return this.#loading
  }

  // A connection that breaks once is no reason to trouble anybody.
  #importTwice(): Promise<T> {
    return this.#importPart().catch(() => this.#importPart())
  }

  /** Loads it once when the page is idle. A failure shows when the part is needed. */
  preload(): void {
    if (this.#wasTried) return
    this.#wasTried = true
    whenIdle(() => void this.load().catch(() => undefined))
  }
}

async function withinLimit<T>(promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the part took too long')), timeLimit)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

// Safari has no idle callback.
function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work)
  else setTimeout(work, 300)
}
