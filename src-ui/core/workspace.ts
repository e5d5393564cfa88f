import type { ReadonlySignal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'
import { Lifetime } from './lifetime.ts'

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
 * sign-out. A workspace knows no feature; each feature declares slices.
 */
export class Workspace extends Lifetime {
  /** Unique in the page. */
  readonly id: number
  /** The signed-in user, or null. */
  readonly user: ReadonlySignal<TokenUser | null>
  readonly #slices = new Map<Slice<object>, object>()
  /** Names of the slices that are being made, to report a circle. */
  readonly #making: string[] = []

  constructor(user: ReadonlySignal<TokenUser | null>) {
    super()
    this.user = user
    lastId += 1
    this.id = lastId
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
}
