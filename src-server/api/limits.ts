// Limits of concurrent work, by kind and for each user.
import { Counts, LeastRunningFirst, Limiter, type Most, Slot, type Waiting } from '../base/limiter.ts'
import type { Closable, Operation } from '../base/operation.ts'
import type { LimitedKind } from '../contract/endpoint.ts'
import { type Person, Places, tooMuch, type Yielding } from './giving-way.ts'

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
  uploadCalls: { inAll: 32, ofOne: 8, longestWait: 10_000 },
  // Existing clients send those of a whole selection at once, and show any answer but 200 as an error: none is refused.
  changes: {
    inAll: 24,
    ofOne: 6,
    waiting: { inAll: Number.POSITIVE_INFINITY, ofOne: Number.POSITIVE_INFINITY },
    late: { after: 10_000, inAll: 96, ofOne: 6, staysOfOne: true },
  },
  // Each waits for 700 ms at the most, and may hold 10,000 paths.
  jobs: { inAll: 32, ofOne: 8 },
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
  requestCalls: { inAll: 32, ofOne: 8, longestWait: 10_000 },
  requestBodies: { inAll: 64, ofOne: 4, waiting: { inAll: 256, ofOne: 32 }, longestWait: 10_000 },
  linkSockets: { inAll: 512, ofOne: 64, waiting: { inAll: 0, ofOne: 0 } },
}

/** How many of one kind may wait. */
const mostWaiting: Most = { inAll: 1024, ofOne: 256 }

/** Whether the work that a signal stops has waited long for one answer of a disk. */
type WaitsForDisk = (signal: AbortSignal) => boolean

/** Work that runs. */
type ActiveWork = Closable & { leave(): void }

/** How the work counts, and whether others may end it to get its place. */
type EnterHow = Readonly<{ weight?: number; yielding?: Yielding | undefined; signal?: AbortSignal }>

/** Work of one kind. */
class KindLimiter {
  readonly #limit: Limit
  readonly #waitsForDisk: WaitsForDisk
  readonly #line: LeastRunningFirst<Person>
  readonly #limiter: Limiter<Person>
  readonly #late = new Counts<Person>()
  readonly #left = new Counts<Person>()
  readonly #places = new Places()
  #looksLater = false

  constructor(limit: Limit, waitsForDisk: WaitsForDisk) {
    this.#limit = limit
    this.#waitsForDisk = waitsForDisk
    this.#line = new LeastRunningFirst(limit.waiting ?? mostWaiting)
    this.#limiter = new Limiter({
      ...limit,
      line: this.#line,
      refusal: tooMuch,
      hasRoomFor: ({ key, weight }) =>
        !limit.late?.staysOfOne || this.#limiter.running.of(key) + this.#late.of(key) + weight <= limit.ofOne,
      onWait: (waiting) => {
        this.#endSlowFor(waiting)
        this.#lookLater()
      },
    })
  }

  /** @param signal stops the work @throws Failure('busy'), the signal's reason when it is aborted while waiting */
  async enter(key: Person, signal: AbortSignal, { weight = 1, yielding, signal: waitsUntil }: EnterHow): Promise<ActiveWork> {
    const waits = waitsUntil ? AbortSignal.any([signal, waitsUntil]) : signal
    const entered = this.#limiter.enter({ key, weight, signal: waits })
    // At once where there is room, so that the next to come finds it.
    const slot = entered instanceof Slot ? entered : await entered
    const endLate = this.#countLate(slot, signal)
    let endPlace = () => {}
    const stop = () => {
      endPlace()
      endLate()
    }
    const leave = () => {
      stop()
      slot.moveTo(this.#left, mostLeft)
    }
    if (yielding) endPlace = this.#places.add(placeOf(key, yielding, leave))
    const close = () => {
      stop()
      slot.close()
    }
    return { leave, close }
  }

  /** Counts what takes long among the late. @returns what ends that */
  #countLate(slot: Slot<Person>, signal: AbortSignal): () => void {
    const { late } = this.#limit
    if (!late) return () => {}
    const look = () => {
      const isLate = (!late.ofDisk || this.#waitsForDisk(signal)) && slot.moveTo(this.#late, late)
      // The other limit may have been full.
      if (late.ofDisk && !isLate) timer = setTimeout(look, lookAgain).unref()
    }
    let timer = setTimeout(look, late.after).unref()
    return () => clearTimeout(timer)
  }

  /** Ends slow work for what still waits. */
  #lookLater() {
    if (this.#looksLater || this.#places.size === 0 || this.#line.isEmpty) return
    this.#looksLater = true
    const look = () => {
      this.#looksLater = false
      const passed = new Set<Person>()
      for (const waiting of this.#line.all()) {
        if (!passed.has(waiting.key) && !this.#endSlowFor(waiting)) passed.add(waiting.key)
      }
      this.#lookLater()
    }
    setTimeout(look, makesRoomEvery).unref()
  }

  /** @returns whether work was ended, or need not be: it may have begun in the place of one that was ended for another */
  #endSlowFor(waiting: Waiting<Person>): boolean {
    if (!this.#line.includes(waiting) || this.#limiter.hasRoomFor(waiting)) return true
    const { running } = this.#limiter
    const isOwnFull = running.of(waiting.key) + waiting.weight > this.#limit.ofOne
    const slow = this.#places.slowestFor(waiting.key, running, isOwnFull)
    slow?.end()
    return slow !== undefined
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
  readonly #limiters: ReadonlyMap<LimitedKind, KindLimiter>

  constructor(limits: Partial<Record<LimitedKind, Limit>> = {}, waitsForDisk: WaitsForDisk = () => false) {
    const all = Object.entries({ ...usualLimits, ...limits }) as [LimitedKind, Limit][]
    this.#limiters = new Map(all.map(([kind, limit]) => [kind, new KindLimiter(limit, waitsForDisk)]))
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
    const { signal } = operation
    const limiter = this.#limiters.get(kind) as KindLimiter
    const entered = operation.own(await limiter.enter(person, signal, how))
    signal.addEventListener('abort', () => entered.leave(), { once: true })
    return entered
  }
}
