// Limits of concurrent work, by kind and for each user.
import type { Closable, Operation } from '../base/operation.ts'
import type { LimitedKind } from '../contract/endpoint.ts'
import { Counts, type Most, type Person } from './counts.ts'
import { Places, tooMuch, type Yielding } from './giving-way.ts'

/** How much of a kind may run at once. */
type Limit = Most &
  Readonly<{
    /** How many may wait; further ones are refused. */
    waiting?: Most
    /** Milliseconds after which one that waits is refused; without it, it waits until the client leaves. */
    longestWait?: number
    /** What runs for so many milliseconds counts towards another limit from then on, as long as that has room; with `staysOfOne` towards
     * `ofOne` too, with `ofDisk` from when it waits for its disk. */
    late?: Most & Readonly<{ after: number; staysOfOne?: boolean; ofDisk?: boolean }>
  }>

const mebibyte = 2 ** 20

/** Milliseconds between two looks at whether work waits for its disk. */
const lookAgain = 500

/** Milliseconds between two looks for work that gives way to what waits. */
const makesRoomEvery = 1000

/** Milliseconds. The page asks again after a refusal. */
const longestListingWait = 10_000
// Those that wait for a processor or for their clients hold memory, and keep their places.
const lateListings = { after: 2000, inAll: 24, ofOne: 4, ofDisk: true }

/** What still runs after its client has left no longer counts, but for the rest beyond these: its files are open. */
const mostLeft: Most = { inAll: 256, ofOne: 16 }

const usualLimits: Readonly<Record<LimitedKind, Limit>> = {
  // While a large listing is made it takes several times the memory of a finished one.
  listings: { inAll: 6, ofOne: 2, longestWait: longestListingWait, late: lateListings },
  // Bytes.
  answers: { inAll: 64 * mebibyte, ofOne: 12 * mebibyte },
  // Each keeps a processor or a disk busy.
  hashing: { inAll: 4, ofOne: 2 },
  counting: { inAll: 4, ofOne: 2 },
  // Each takes half a second at the most.
  itemCounts: { inAll: 4, ofOne: 1, waiting: { inAll: 32, ofOne: 4 } },
  previews: { inAll: 4, ofOne: 2 },
  // Each may take hours, and a browser does not show a download that waits.
  archives: { inAll: 8, ofOne: 2, waiting: { inAll: 16, ofOne: 2 }, longestWait: 5000 },
  // Few wait, because each may take half a minute: one that was given up, and the one that follows it.
  searches: { inAll: 8, ofOne: 2, waiting: { inAll: 16, ofOne: 2 } },
  // Each reads up to 500 MB; an export lasts as long as its client takes.
  activity: { inAll: 4, ofOne: 2, waiting: { inAll: 16, ofOne: 2 }, longestWait: 5000 },
  // Each holds a file in memory.
  subtitles: { inAll: 4, ofOne: 2 },
  // Five uploads at a time is what the page sends. What they do on a disk is limited by device.
  bodies: { inAll: 256, ofOne: 32, longestWait: 10_000 },
  // Existing clients send those of a whole selection at once, and show any answer but 200 as an error: none is refused.
  changes: {
    inAll: 24,
    ofOne: 6,
    waiting: { inAll: Number.POSITIVE_INFINITY, ofOne: Number.POSITIVE_INFINITY },
    late: { after: 10_000, inAll: 96, ofOne: 6, staysOfOne: true },
  },
  longBodies: { inAll: 4, ofOne: 1, waiting: { inAll: 64, ofOne: 8 }, longestWait: 10_000 },
  // Limits of their own, so that strangers leave room for users. One person of these is one address.
  linkListings: {
    inAll: 4,
    ofOne: 2,
    waiting: { inAll: 64, ofOne: 8 },
    longestWait: longestListingWait,
    late: { ...lateListings, inAll: 16 },
  },
  linkAnswers: { inAll: 32 * mebibyte, ofOne: 12 * mebibyte, waiting: { inAll: 64, ofOne: 8 } },
  // Each has a file open. Behind a proxy that is not named all visitors seem to have one address.
  linkDownloads: { inAll: 512, ofOne: 64, waiting: { inAll: 64, ofOne: 16 }, longestWait: 5000 },
  linkArchives: { inAll: 4, ofOne: 1, waiting: { inAll: 16, ofOne: 1 }, longestWait: 5000 },
  linkSearches: { inAll: 4, ofOne: 1, waiting: { inAll: 16, ofOne: 1 } },
  linkPreviews: { inAll: 4, ofOne: 2, waiting: { inAll: 256, ofOne: 64 } },
  // A page that gets none reads its link again now and then.
  linkSockets: { inAll: 512, ofOne: 64, waiting: { inAll: 0, ofOne: 0 } },
}

/** How many of one kind may wait. */
const mostWaiting: Most = { inAll: 1024, ofOne: 256 }

/** Whether the work that a signal stops has waited long for one answer of a disk. */
type WaitsForDisk = (signal: AbortSignal) => boolean

/** Work that runs. */
type Running = Closable & { leave(): void }

/** How the work counts, and whether others may end it to get its place. */
type EnterHow = Readonly<{ weight?: number; yielding?: Yielding | undefined; signal?: AbortSignal }>

type Work = Readonly<{ person: Person; weight: number; yielding?: Yielding | undefined }>
type Waiting = Work & Readonly<{ begin(): void }>

/** Work of one kind. Of those who have room, whoever has least running begins next; of these, who has waited longest. */
class Lane {
  readonly #limit: Limit
  readonly #waitsForDisk: WaitsForDisk
  readonly #running = new Counts()
  readonly #late = new Counts()
  readonly #left = new Counts()
  readonly #waiting = new Set<Waiting>()
  readonly #waitingOf = new Counts()
  readonly #places = new Places()
  #looksLater = false

  constructor(limit: Limit, waitsForDisk: WaitsForDisk) {
    this.#limit = limit
    this.#waitsForDisk = waitsForDisk
  }

  /** @throws Failure('busy'), the signal's reason when it is aborted while waiting */
  async enter({ person, weight, yielding }: Work, signal: AbortSignal, waitsUntil = signal): Promise<Running> {
    signal.throwIfAborted()
    // Work beyond the limit of one user runs alone.
    const work = { person, weight: Math.min(weight, this.#limit.ofOne), yielding }
    const isNext = this.#waitingOf.of(person) === 0 && this.#hasRoomFor(work)
    if (isNext) this.#running.add(person, work.weight)
    else await this.#wait(work, waitsUntil)
    return this.#begun(work, signal)
  }

  #begun(work: Work, signal: AbortSignal): Running {
    const { late } = this.#limit
    let [counts, isOver] = [this.#running, false]
    const countIn = (others: Counts, most: Most) => {
      if (isOver || !others.hasRoomFor(work.person, work.weight, most)) return
      const before = counts
      counts = others
      counts.add(work.person, work.weight)
      before.add(work.person, -work.weight)
      this.#beginNext()
    }
    const look = () => {
      if (!late) return
      if (!late.ofDisk || this.#waitsForDisk(signal)) countIn(this.#late, late)
      // The other limit may have been full.
      if (late.ofDisk && !isOver && counts === this.#running) timer = setTimeout(look, lookAgain).unref()
    }
    let timer = late && setTimeout(look, late.after).unref()
    let endPlace = () => {}
    const leave = () => {
      endPlace()
      clearTimeout(timer)
      countIn(this.#left, mostLeft)
    }
    if (work.yielding) endPlace = this.#places.add(placeOf(work.person, work.yielding, leave))
    const close = () => {
      if (isOver) return
      isOver = true
      endPlace()
      clearTimeout(timer)
      counts.add(work.person, -work.weight)
      this.#beginNext()
    }
    return { leave, close }
  }

  #wait(work: Work, signal: AbortSignal): Promise<void> {
    if (!this.#waitingOf.hasRoomFor(work.person, 1, this.#limit.waiting ?? mostWaiting)) throw tooMuch()
    return new Promise((resolve, reject) => {
      const { longestWait } = this.#limit
      const timer = longestWait === undefined ? undefined : setTimeout(() => giveUp(tooMuch()), longestWait).unref()
      const stopWaiting = () => {
        signal.removeEventListener('abort', aborted)
        clearTimeout(timer)
      }
      const begin = () => {
        stopWaiting()
        resolve()
      }
      const waiting = { ...work, begin }
      const giveUp = (reason: unknown) => {
        stopWaiting()
        this.#remove(waiting)
        this.#beginNext()
        reject(reason)
      }
      const aborted = () => giveUp(signal.reason)
      signal.addEventListener('abort', aborted, { once: true })
      this.#waiting.add(waiting)
      this.#waitingOf.add(work.person, 1)
      this.#endSlowFor(waiting)
      this.#lookLater()
    })
  }

  /** Ends slow work for what still waits. */
  #lookLater() {
    if (this.#looksLater || this.#waiting.size === 0 || this.#places.size === 0) return
    this.#looksLater = true
    const look = () => {
      this.#looksLater = false
      const passed = new Set<Person>()
      for (const waiting of [...this.#waiting]) {
        if (!passed.has(waiting.person) && !this.#endSlowFor(waiting)) passed.add(waiting.person)
      }
      this.#lookLater()
    }
    setTimeout(look, makesRoomEvery).unref()
  }

  /** @returns whether work was ended, or need not be: it may have begun in the place of one that was ended for another */
  #endSlowFor(waiting: Waiting): boolean {
    if (!this.#waiting.has(waiting) || this.#hasRoomFor(waiting)) return true
    const isOwnFull = this.#running.of(waiting.person) + waiting.weight > this.#limit.ofOne
    const slow = this.#places.slowestFor(waiting.person, this.#running, isOwnFull)
    slow?.end()
    return slow !== undefined
  }

  #beginNext() {
    for (let next = this.#next(); next; next = this.#next()) this.#begin(next)
  }

  #next(): Waiting | undefined {
    const seen = new Set<Person>()
    let next: Waiting | undefined
    for (const waiting of this.#waiting) {
      // Thousands may wait.
      if (seen.size === this.#waitingOf.people) break
      // Work of the same user that waits longer is not passed.
      if (seen.has(waiting.person)) continue
      seen.add(waiting.person)
      const isLess = !next || this.#running.of(waiting.person) < this.#running.of(next.person)
      if (isLess && this.#hasRoomFor(waiting)) next = waiting
    }
    return next
  }

  #begin(waiting: Waiting) {
    this.#remove(waiting)
    this.#running.add(waiting.person, waiting.weight)
    waiting.begin()
  }

  #remove(waiting: Waiting) {
    this.#waiting.delete(waiting)
    this.#waitingOf.add(waiting.person, -1)
  }

  #hasRoomFor({ person, weight }: Work) {
    const { late, ofOne } = this.#limit
    const count = late?.staysOfOne ? weight + this.#late.of(person) : weight
    return this.#running.of(person) + count <= ofOne && this.#running.hasRoomFor(person, weight, this.#limit)
  }
}

/** What gives way no longer counts, though its end may take a moment. */
function placeOf(person: Person, yielding: Yielding, leave: () => void) {
  const end = () => {
    yielding.end()
    leave()
  }
  return { person, slowness: () => yielding.slowness(), end }
}

/** Keeps each kind of work within its limit. */
export class Limits {
  readonly #lanes: ReadonlyMap<LimitedKind, Lane>

  constructor(limits: Partial<Record<LimitedKind, Limit>> = {}, waitsForDisk: WaitsForDisk = () => false) {
    const all = Object.entries({ ...usualLimits, ...limits }) as [LimitedKind, Limit][]
    this.#lanes = new Map(all.map(([kind, limit]) => [kind, new Lane(limit, waitsForDisk)]))
  }

  /**
   * Waits until the work may begin. It counts until what this returns is released, or until its operation ends, or until its client
   * leaves: what it still asks of a disk that hangs is limited by device.
   * @param person whose work it is
   * @param how.weight how much it counts: of answers their bytes
   * @param how.yielding with it, it may have to give way when others find no place
   * @param how.signal ends the waiting, as the end of the operation does
   * @throws Failure('busy') when too many wait already
   */
  async enter(kind: LimitedKind, person: Person, operation: Operation, how: EnterHow = {}): Promise<Closable> {
    const lane = this.#lanes.get(kind) as Lane
    const { weight = 1, yielding, signal } = how
    const waitsUntil = signal && AbortSignal.any([operation.signal, signal])
    const entered = operation.own(await lane.enter({ person, weight, yielding }, operation.signal, waitsUntil))
    operation.signal.addEventListener('abort', () => entered.leave(), { once: true })
    return entered
  }
}
