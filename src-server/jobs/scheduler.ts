// Which jobs may run: two of a person, four on a device, and each takes all the places that it needs, or none.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'

/** How many run of one person and on one device, and how many wait of one person and in all. */
export type JobLimits = Readonly<{ running: number; onDevice: number; waiting: number; waitingInAll: number }>

export const usualLimits: JobLimits = { running: 2, onDevice: 4, waiting: 20, waitingInAll: 100 }

/** Milliseconds of waiting after which the next places that get free are kept for it. */
const longestPassed = 30_000

/** Seconds after which a refused client asks again. */
const retryAfter = 30

/** Work that needs a place of a person, and one on each of some devices, as `source` and `target`. */
export type Work = Readonly<{
  person: number
  devices: readonly string[]
  /** Of those of a person one runs at a time, in the order of their arrival: what they do is about each other. */
  isOneByOne?: boolean
  /** It needs no place of the person: it has a limit of its own. */
  isLimitedElsewhere?: boolean
  begin(): void
}>

/** The places of a work, or that it waits for them. */
export type Places = Readonly<{
  /** Gives all places back, or ends the waiting. May be called twice. */
  close(): void
  /** Gives that of the person back alone: the work is over for its person, but a device still has not answered. */
  leavePerson(): void
}>

type Entered = {
  readonly work: Work
  readonly since: number
  readonly devices: ReadonlySet<string>
  state: 'waiting' | 'running' | 'closed'
  hasPerson: boolean
}

/**
 * Of those that wait, the oldest that can begin is next. No work holds some places while it waits for others, so that no two of them
 * can wait for each other.
 */
export class Scheduler {
  readonly #clock: Clock
  readonly #limits: JobLimits
  readonly #ofPerson = new Map<number, number>()
  readonly #onDevice = new Map<string, number>()
  /** People of whose work that is done one by one some runs. */
  readonly #oneByOne = new Set<number>()
  /** In the order of their arrival. */
  readonly #waiting = new Set<Entered>()

  constructor(clock: Clock, limits: JobLimits = usualLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Begins the work, now or when there are places. @throws Failure('busy') when too many wait already */
  enter(work: Work): Places {
    const entered: Entered = {
      ...{ work, since: this.#clock.elapsed(), devices: new Set(work.devices) },
      ...{ state: 'waiting', hasPerson: false },
    }
    this.#waiting.add(entered)
    this.#beginNext()
    if (entered.state === 'waiting' && this.#areTooMany(work.person)) {
      this.#waiting.delete(entered)
      throw new Failure('busy', 'too many jobs wait already', { retryAfter })
    }
    return {
      close: () => this.#close(entered),
      leavePerson: () => this.#leavePerson(entered),
    }
  }

  /** Whether so many would wait that no other may be added. */
  #areTooMany(person: number): boolean {
    const own = [...this.#waiting].filter(({ work }) => work.person === person)
    return own.length > this.#limits.waiting || this.#waiting.size > this.#limits.waitingInAll
  }

  #beginNext() {
    const kept = new Kept()
    const now = this.#clock.elapsed()
    const inTurn = new Set(this.#oneByOne)
    for (const entered of [...this.#waiting]) {
      // What begins may close another.
      if (entered.state !== 'waiting') continue
      const { isOneByOne, person } = entered.work
      if (isOneByOne && inTurn.has(person)) continue
      if (isOneByOne) inTurn.add(person)
      const hasPerson = this.#hasPerson(entered, kept)
      if (hasPerson && this.#hasDevices(entered, kept)) this.#begin(entered)
      // Whoever waits for their own work to end keeps nothing from others.
      else if (hasPerson && now - entered.since >= longestPassed) kept.add(entered)
    }
  }

  /** One of the places of a person is never kept: a device that hangs must not stop what needs others. */
  #hasPerson({ work: { person, isLimitedElsewhere } }: Entered, kept: Kept): boolean {
    if (isLimitedElsewhere) return true
    const most = Math.max(1, this.#limits.running - kept.ofPerson(person))
    return (this.#ofPerson.get(person) ?? 0) < most
  }

  #hasDevices({ devices }: Entered, kept: Kept): boolean {
    return [...devices].every((device) => (this.#onDevice.get(device) ?? 0) + kept.onDevice(device) < this.#limits.onDevice)
  }

  #begin(entered: Entered) {
    this.#waiting.delete(entered)
    entered.state = 'running'
    const { person, isOneByOne, isLimitedElsewhere } = entered.work
    entered.hasPerson = !isLimitedElsewhere
    if (isOneByOne) this.#oneByOne.add(person)
    if (entered.hasPerson) add(this.#ofPerson, person, 1)
    for (const device of entered.devices) add(this.#onDevice, device, 1)
    entered.work.begin()
  }

  #close(entered: Entered) {
    this.#waiting.delete(entered)
    if (entered.state === 'running') {
      this.#takeFromPerson(entered)
      for (const device of entered.devices) add(this.#onDevice, device, -1)
      if (entered.work.isOneByOne) this.#oneByOne.delete(entered.work.person)
    }
    entered.state = 'closed'
    // What waited behind it may need less.
    this.#beginNext()
  }

  #leavePerson(entered: Entered) {
    this.#takeFromPerson(entered)
    this.#beginNext()
  }

  #takeFromPerson(entered: Entered) {
    if (entered.hasPerson) add(this.#ofPerson, entered.work.person, -1)
    entered.hasPerson = false
  }
}

/** Places that are kept for those who have waited long: one of a person and one on a device, for the oldest that needs it. */
class Kept {
  readonly #persons = new Set<number>()
  readonly #devices = new Set<string>()

  add({ work, devices }: Entered) {
    this.#persons.add(work.person)
    for (const device of devices) this.#devices.add(device)
  }

  ofPerson(person: number): number {
    return this.#persons.has(person) ? 1 : 0
  }

  onDevice(device: string): number {
    return this.#devices.has(device) ? 1 : 0
  }
}

function add<K>(counts: Map<K, number>, key: K, count: number) {
  const sum = (counts.get(key) ?? 0) + count
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}
