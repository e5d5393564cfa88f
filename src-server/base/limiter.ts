// Bounds work that runs at a time: what finds no room waits for its turn, and what must not wait is refused.
import { Failure } from './failure.ts'

/** How much may be at once, in total and under one key. */
export type Most = Readonly<{ inAll: number; ofOne: number }>

/** The key says whose work it is. */
export type Work<K> = Readonly<{ key: K; weight: number }>

/** Counts by key, and in total; under `undefined` in total alone. */
export class Counts<K> {
  readonly #ofOne = new Map<K, number>()
  #inAll = 0

  get inAll(): number {
    return this.#inAll
  }

  /** The largest under one key. */
  get largest(): number {
    return Math.max(0, ...this.#ofOne.values())
  }

  of(key: K): number {
    return key === undefined ? this.#inAll : (this.#ofOne.get(key) ?? 0)
  }

  add(key: K, count: number): void {
    this.#inAll += count
    if (key === undefined) return
    const sum = this.of(key) + count
    if (sum === 0) this.#ofOne.delete(key)
    else this.#ofOne.set(key, sum)
  }

  hasRoomFor({ key, weight }: Work<K>, { inAll, ofOne }: Most): boolean {
    return this.#inAll + weight <= inAll && this.of(key) + weight <= ofOne
  }
}

/** Work that waits. */
export type Waiting<K> = Work<K> & Readonly<{ arrival: number; begin(): void; refuse(reason: unknown): void }>

/** Those who wait, and the order of their turns. */
export type Line<K> = Readonly<{
  /** Whether work with this key waits, which no other with the key may pass. */
  has(key: K): boolean
  /** @returns who is refused because too many wait, perhaps the one that is added */
  add(waiting: Waiting<K>): Waiting<K> | undefined
  /** @returns whether it waited */
  remove(waiting: Waiting<K>): boolean
  /** Removes the one whose turn it is, of those for which there is room. */
  takeNext(hasRoomFor: (work: Work<K>) => boolean, loadOf: (key: K) => number): Waiting<K> | undefined
}>

/** Under whose key least runs is next; of these, who has waited longest. Work with the same key keeps its order. */
export class LeastRunningFirst<K> implements Line<K> {
  readonly #most: Most
  readonly #counts = new Counts<K>()
  readonly #waiting = new Map<K, Set<Waiting<K>>>()

  /** @param most may wait */
  constructor(most: Most = unbounded) {
    this.#most = most
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** In the order of their arrival. */
  all(): Waiting<K>[] {
    return [...this.#waiting.values()].flatMap((ofOne) => [...ofOne]).sort((one, other) => one.arrival - other.arrival)
  }

  includes(waiting: Waiting<K>): boolean {
    return this.#waiting.get(waiting.key)?.has(waiting) ?? false
  }

  has(key: K): boolean {
    return this.#waiting.has(key)
  }

  add(waiting: Waiting<K>): Waiting<K> | undefined {
    const { key } = waiting
    if (!this.#counts.hasRoomFor({ key, weight: 1 }, this.#most)) return waiting
    this.#counts.add(key, 1)
    this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(waiting))
    return undefined
  }

  remove(waiting: Waiting<K>): boolean {
    const ofOne = this.#waiting.get(waiting.key)
    if (!ofOne?.delete(waiting)) return false
    this.#counts.add(waiting.key, -1)
    if (ofOne.size === 0) this.#waiting.delete(waiting.key)
    return true
  }

  takeNext(hasRoomFor: (work: Work<K>) => boolean, loadOf: (key: K) => number): Waiting<K> | undefined {
    let next: Waiting<K> | undefined
    const isBefore = (one: Waiting<K>, other: Waiting<K>) =>
      (loadOf(one.key) - loadOf(other.key) || one.arrival - other.arrival) < 0
    for (const [first] of this.#waiting.values()) {
      if (first && (!next || isBefore(first, next)) && hasRoomFor(first)) next = first
    }
    if (next) this.remove(next)
    return next
  }
}

const unbounded: Most = { inAll: Number.POSITIVE_INFINITY, ofOne: Number.POSITIVE_INFINITY }

type LimiterOptions<K> = Partial<Most> &
  Readonly<{
    /** Those who wait; without it any number. */
    line?: Line<K>
    /** Milliseconds after which what waits is refused. */
    longestWait?: number | undefined
    /** What is thrown at those who are refused. */
    refusal?(): Failure
    /** What there has to be room for besides. */
    hasRoomFor?(work: Work<K>): boolean
    /** What the line orders keys by; without it how much runs under them. */
    loadOf?(key: K): number
    /** Called when something begins to wait. */
    onWait?(waiting: Waiting<K>): void
  }>

/** A slot that is asked for. What weighs more than one key may have weighs as much as that, and so runs alone. */
type SlotRequest<K> = Readonly<{ key?: K; weight?: number; signal?: AbortSignal | undefined }>

/** Keeps work within its limits. Without keys, work waits in the order of its arrival. */
export class Limiter<K = undefined> {
  readonly running = new Counts<K>()
  readonly #options: LimiterOptions<K>
  readonly #most: Most
  readonly #line: Line<K>
  readonly #loadOf: (key: K) => number
  #arrivals = 0

  constructor(options: LimiterOptions<K>) {
    this.#options = options
    this.#most = { inAll: options.inAll ?? unbounded.inAll, ofOne: options.ofOne ?? unbounded.ofOne }
    this.#line = options.line ?? new LeastRunningFirst()
    this.#loadOf = options.loadOf ?? ((key) => this.running.of(key))
  }

  /**
   * Runs the work as soon as there is room.
   * @param asked.signal ends the waiting, but not what is running
   * @throws the refusal, the signal's reason when it is aborted before the work has begun
   */
  async run<T>(work: () => Promise<T>, asked: SlotRequest<K> = {}): Promise<T> {
    const entered = this.enter(asked)
    const slot = entered instanceof Slot ? entered : await entered
    try {
      return await work()
    } finally {
      slot.close()
    }
  }

  /** Takes a slot, at once when there is room. @throws as `run` */
  enter({ key, weight = 1, signal }: SlotRequest<K>): Slot<K> | Promise<Slot<K>> {
    signal?.throwIfAborted()
    const work = { key: key as K, weight: Math.min(weight, this.#most.ofOne) }
    return !this.#line.has(work.key) && this.hasRoomFor(work) ? this.#begin(work) : this.#wait(work, signal)
  }

  /** Takes a slot without waiting. @throws the refusal when there is no room */
  take(key?: K): Slot<K> {
    const work = { key: key as K, weight: 1 }
    if (!this.hasRoomFor(work)) throw this.#refusal()
    return this.#begin(work)
  }

  hasRoomFor(work: Work<K>): boolean {
    return this.running.hasRoomFor(work, this.#most) && (this.#options.hasRoomFor?.(work) ?? true)
  }

  /** To be called when there is room for another reason than that work has ended. */
  beginNext(): void {
    for (let next = this.#takeNext(); next; next = this.#takeNext()) next.begin()
  }

  #takeNext(): Waiting<K> | undefined {
    return this.#line.takeNext(this.#hasRoomFor, this.#loadOf)
  }

  #hasRoomFor = (work: Work<K>) => this.hasRoomFor(work)

  #begin(work: Work<K>): Slot<K> {
    this.running.add(work.key, work.weight)
    return new Slot(work, this)
  }

  async #wait(work: Work<K>, signal: AbortSignal | undefined): Promise<Slot<K>> {
    const { promise, resolve, reject } = Promise.withResolvers<Slot<K>>()
    const { longestWait, onWait } = this.#options
    const settled = (settle: () => void) => () => {
      signal?.removeEventListener('abort', aborted)
      clearTimeout(timer)
      settle()
    }
    const begin = settled(() => resolve(this.#begin(work)))
    const refuse = (reason: unknown) => settled(() => reject(reason))()
    const waiting: Waiting<K> = { ...work, arrival: this.#arrivals++, begin, refuse }
    const giveUp = (reason: unknown) => {
      if (!this.#line.remove(waiting)) return
      // What waited behind it may need less room.
      this.beginNext()
      refuse(reason)
    }
    const aborted = () => giveUp(signal?.reason)
    const timer = longestWait === undefined ? undefined : setTimeout(() => giveUp(this.#refusal()), longestWait).unref()
    signal?.addEventListener('abort', aborted, { once: true })
    const refused = this.#line.add(waiting)
    refused?.refuse(this.#refusal())
    if (refused !== waiting) onWait?.(waiting)
    const slot = await promise
    if (!signal?.aborted) return slot
    // Aborted when its turn had come, but nothing had begun yet.
    slot.close()
    throw signal.reason
  }

  #refusal(): Failure {
    return this.#options.refusal?.() ?? new Failure('busy')
  }
}

/** A limiter for each key, such as a device. @param inAll of one */
export function limiterOfEach<Key>(inAll: number): (key: Key) => Limiter {
  const limiters = new Map<Key, Limiter>()
  return (key) => {
    const known = limiters.get(key) ?? new Limiter({ inAll })
    limiters.set(key, known)
    return known
  }
}

/** A slot of work that runs. */
export class Slot<K> {
  readonly #work: Work<K>
  readonly #limiter: Limiter<K>
  /** Undefined once it is closed. */
  #counts: Counts<K> | undefined

  constructor(work: Work<K>, limiter: Limiter<K>) {
    this.#work = work
    this.#limiter = limiter
    this.#counts = limiter.running
  }

  /** Counts among others from now on, when these have room. @returns whether it does */
  moveTo(others: Counts<K>, most: Most): boolean {
    if (!this.#counts || !others.hasRoomFor(this.#work, most)) return false
    others.add(this.#work.key, this.#work.weight)
    this.#leave(others)
    return true
  }

  /** Gives it back; may be called twice. */
  close(): void {
    if (this.#counts) this.#leave()
  }

  #leave(others?: Counts<K>) {
    this.#counts?.add(this.#work.key, -this.#work.weight)
    this.#counts = others
    this.#limiter.beginNext()
  }
}
