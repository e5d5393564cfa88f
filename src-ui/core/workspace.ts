import { effect, type ReadonlySignal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'

/** A part of a workspace. It is made when it is first used, and its maker may use other slices; slices form no circle. */
export type Slice<T extends object> = {
  readonly name: string
  readonly make: (workspace: Workspace) => T
  /** Core declares it, and a feature must provide it for each workspace. */
  readonly isRequired?: true
}

export type Permission = keyof TokenUser['perm']

export function slice<T extends object>(name: string, make: (workspace: Workspace) => T): Slice<T> {
  return { name, make }
}

/** A slice that a feature provides. Without one its first use fails, unless there is a fallback. */
export function requiredSlice<T extends object>(name: string, fallback?: T): Slice<T> {
  const make = () => {
    if (!fallback) throw new Error(`no feature provides ${name}`)
    return fallback
  }
  return { name, make, isRequired: true }
}

let lastId = 0

/**
 * Everything that one person has open: listing, selection, overlays, tasks, uploads. It is made at sign-in and disposed at
 * sign-out. A workspace knows no feature; each feature declares slices. Whatever a slice registers here (effects, listeners,
 * timers, requests) ends with the workspace.
 */
export class Workspace {
  /** Unique in the page. */
  readonly id: number
  /** The signed-in user, or null. */
  readonly user: ReadonlySignal<TokenUser | null>
  readonly #slices = new Map<Slice<object>, object>()
  /** Names of the slices that are being made, to report a circle. */
  readonly #making: string[] = []
  readonly #releases: (() => void)[] = []
  readonly #ending = new AbortController()

  constructor(user: ReadonlySignal<TokenUser | null>) {
    this.user = user
    lastId += 1
    this.id = lastId
  }

  /** Aborted when the workspace is disposed. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** @throws Error when the slices that are being made form a circle */
  use<T extends object>(wanted: Slice<T>): T {
    const existing = this.#slices.get(wanted)
    if (existing) return existing as T
    if (this.#making.includes(wanted.name)) throw new Error(`slices form a circle: ${[...this.#making, wanted.name].join(' → ')}`)
    this.#making.push(wanted.name)
    try {
      return this.provide(wanted, wanted.make(this))
    } finally {
      this.#making.pop()
    }
  }

  /** Sets the value of a slice that core declares and a feature implements. */
  provide<T extends object>(wanted: Slice<T>, value: T): T {
    this.#slices.set(wanted, value)
    return value
  }

  /** Whether this person has a permission. */
  may(permission: Permission): boolean {
    return this.user.value?.perm[permission] ?? false
  }

  /** Calls `release` when the workspace is disposed, in reverse order of registration; at once when it is disposed already. */
  onDispose(release: () => void): void {
    if (this.signal.aborted) release()
    else this.#releases.push(release)
  }

  effect(work: () => unknown): void {
    this.onDispose(
      effect(() => {
        const cleanUp = work()
        return typeof cleanUp === 'function' ? (cleanUp as () => void) : undefined
      }),
    )
  }

  /** Adds an event listener that is removed when the workspace is disposed. */
  listen<K extends keyof WindowEventMap>(
    target: Pick<Window, 'addEventListener' | 'removeEventListener'>,
    name: K,
    listener: (event: WindowEventMap[K]) => void,
  ): void {
    // Not with the `signal` option: after a garbage collection Node no longer removes such listeners.
    if (this.signal.aborted) return
    target.addEventListener(name, listener)
    this.onDispose(() => target.removeEventListener(name, listener))
  }

  /** Milliseconds of a clock that only goes forward. */
  now(): number {
    return performance.now()
  }

  /** A timer that is cleared when the workspace is disposed. @param delay milliseconds @returns a function that clears it */
  timeout(work: () => void, delay: number): () => void {
    if (this.signal.aborted) return () => {}
    const clear = () => {
      clearTimeout(timer)
      this.signal.removeEventListener('abort', clear)
    }
    const timer = setTimeout(() => {
      clear()
      work()
    }, delay)
    this.signal.addEventListener('abort', clear)
    return clear
  }

  dispose(): void {
    if (this.signal.aborted) return
    this.#ending.abort()
    for (const release of this.#releases.splice(0).reverse()) release()
  }
}
