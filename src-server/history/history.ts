// What people did, act by act, kept so that it can be undone.
import { randomBytes } from 'node:crypto'
import { type Clock, isDue } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { orAborted } from '../base/or-aborted.ts'
import { parentOf } from '../base/paths.ts'
import { saidWhenFull } from '../base/room.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import type { ChosenEntry, DeedSink } from '../files/deeds.ts'
import { type ActHead, type Change, type Deed, type DeedLine, type HistoryStore, withLines } from '../state/history-store.ts'
import { type HistoryLimits, usualLimits } from './limits.ts'
import { type Loss, Losses } from './losses.ts'
import { deedOf, type Made, type Noted, takeBack, takenOut, Writing } from './noted.ts'
import { NotedBefore } from './noted-before.ts'
import { RemadeEntries } from './remade.ts'

type HistoryParts = Readonly<{
  store: HistoryStore
  clock: Pick<Clock, 'now' | 'ageOf'>
  limits?: Partial<HistoryLimits> | undefined
  /** Told of what could not be kept: the changes stand. */
  report(error: unknown): void
}>

/** The jobs that do acts, by what the two have in common. */
export type JobsOfActs = Readonly<{
  /** Whether one is at work, or waits for its turn. */
  isAtWork(userId: number, actKey: string): boolean
  /** Whether none can go on. */
  isOver(userId: number, actKey: string): boolean
  /** Ends one that rests, so that it does not go on. @returns false while it is at work */
  endResting(userId: number, actKey: string, waiting?: AbortSignal): Promise<boolean>
  /** Refuses that one tries again what has failed. @returns ends that */
  holdRetries(userId: number, actKey: string): () => void
}>

/** The last save of a person, which further ones belong to. */
type LastSave = Readonly<{ act: string; line: DeedLine; at: string; version: string }>

/** Changes that wait to be written. */
const mostWaiting = 256

export class History implements DeedSink {
  readonly limits: HistoryLimits
  readonly #parts: HistoryParts
  readonly #queue = new SerialQueue()
  /** By person: what was noted and is not being written yet, and the writing that will take it. */
  readonly #noted = new Map<number, Noted[]>()
  readonly #writing = new Map<number, Writing>()
  /** When a head was kept last, in milliseconds since the epoch. */
  readonly #headsKept = new WeakMap<ActHead, number>()
  /** Entries that are counted already. */
  readonly #counted = new WeakSet<ChosenEntry>()
  /** People of whose acts one is undone or made again, with what resolves when that has ended. */
  readonly #busy = new Map<number, Promise<void>>()
  readonly #saves = new Map<number, LastSave>()
  readonly #before: NotedBefore
  /** By person: who is told that something has changed. */
  readonly #followers = new Map<number, Set<() => void>>()
  readonly #losses: Losses
  readonly #remade = new RemadeEntries()
  /** Undefined until jobs are there. */
  #jobs: JobsOfActs | undefined

  constructor(parts: HistoryParts) {
    this.#parts = parts
    this.limits = { ...usualLimits, ...parts.limits }
    const read = async ({ userId, id }: ActHead) => (await parts.store.deeds(userId, [id])).get(id) ?? []
    this.#before = new NotedBefore(read)
    const open = ({ userId, key, first }: Loss) => this.#openAct(userId, key, first)
    this.#losses = new Losses({ store: parts.store, open })
  }

  /** Reads what was kept. Call it once, before anything else. @param users everybody who is there */
  async open(users: readonly number[]): Promise<void> {
    for (const remade of await this.#parts.store.open(users)) this.#remade.add(remade)
  }

  /** Acts are not undone while their jobs are at work. */
  setJobs(jobs: JobsOfActs): void {
    this.#jobs = jobs
  }

  presentIdentity(was: string): string {
    return this.#remade.present(was)
  }

  async remade(was: string, is: string): Promise<void> {
    if (this.#remade.add({ was, is })) await saidWhenFull(this.#parts.store.addRemade({ was, is }))
  }

  note(chosen: ChosenEntry, change: Change, isAgain = false): void {
    const noted = this.#noted.get(chosen.userId) ?? []
    this.#noted.set(chosen.userId, noted)
    noted.push({ chosen, change, isAgain })
    // One entry of a job may take long, and a kill may come amid it.
    if (noted.length >= mostWaiting) void this.kept(chosen)
    else if (chosen.way === 'job') this.#writingOf(chosen.userId)
  }

  kept({ userId }: Pick<ChosenEntry, 'userId'>): Promise<void> {
    return this.#writingOf(userId).hurry()
  }

  #writingOf(userId: number): Writing {
    const inOrder = (work: () => Promise<void>) => this.#inOrder(userId, work).catch(this.#parts.report)
    const writing = this.#writing.get(userId) ?? new Writing(inOrder, () => this.#write(userId))
    this.#writing.set(userId, writing)
    return writing
  }

  /** Tells of each change of a person's history. @returns ends it */
  follow(userId: number, changed: () => void): () => void {
    const followers = this.#followers.get(userId) ?? new Set()
    this.#followers.set(userId, followers)
    // One that is given twice is told twice.
    const follower = () => changed()
    followers.add(follower)
    return () => {
      followers.delete(follower)
      if (followers.size === 0 && this.#followers.get(userId) === followers) this.#followers.delete(userId)
    }
  }

  /** Something of a person's history, or of what may be done with it, has changed. */
  tellChanged(userId: number): void {
    for (const changed of this.#followers.get(userId) ?? []) changed()
  }

  /** The acts of a person that are not too old, or are half undone, the newest first. */
  async acts(userId: number): Promise<ActHead[]> {
    if (this.#losses.persons().has(userId)) await this.#inOrder(userId, () => this.#losses.keep(userId))
    const heads = await this.#parts.store.heads(userId)
    return heads
      .filter((head) => head.deeds > 0 && (head.begun || !isDue(this.#parts.clock, head.changedAt, this.limits.age)))
      .toReversed()
  }

  /** The changes of some acts of a person. @param isShort only the first few of each */
  deeds(userId: number, ids: readonly string[], isShort = false): ReturnType<HistoryStore['deeds']> {
    return this.#parts.store.deeds(userId, ids, isShort)
  }

  /** Whether not all that an act has changed is kept. */
  isIncomplete(head: ActHead): boolean {
    return head.isTooLarge === true || this.#losses.find(head) !== undefined
  }

  /** Whether it takes so long to undo an act that only a job does it. */
  isLong({ deeds, isAcross = false }: ActHead): boolean {
    return isAcross || deeds > this.limits.atOnce
  }

  /** Whether a job is at work that does this act. */
  isRunning({ userId, key }: ActHead): boolean {
    return this.#jobs?.isAtWork(userId, key) ?? false
  }

  /**
   * Does work during which the job of an act tries nothing again: it must not add to what is undone.
   * @throws Failure('conflict') while it is at work
   */
  async withoutRetries<T>(head: ActHead, work: () => Promise<T>): Promise<T> {
    if (this.isRunning(head)) throw stillRunning()
    const release = this.#jobs?.holdRetries(head.userId, head.key)
    try {
      return await work()
    } finally {
      release?.()
    }
  }

  /**
   * Ends the job of an act, so that it does not go on with what is undone.
   * @param waiting as `alone` @throws Failure('conflict') while it is at work, the signal's reason when it is aborted
   */
  async endJob({ userId, key }: ActHead, waiting?: AbortSignal): Promise<void> {
    if ((await this.#jobs?.endResting(userId, key, waiting)) === false) throw stillRunning()
  }

  /**
   * Does work with the history of a person that is done once at a time.
   * @param waiting waits for other work of this kind until it is aborted; without it, does not wait
   * @returns undefined when other work is going on @throws the signal's reason when it is aborted
   */
  async alone<T>(userId: number, work: () => Promise<T>, waiting?: AbortSignal): Promise<T | undefined> {
    for (let other = this.#busy.get(userId); other; other = this.#busy.get(userId)) {
      if (!waiting) return undefined
      await orAborted(other, waiting)
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#busy.set(userId, promise)
    try {
      return await work()
    } finally {
      this.#busy.delete(userId)
      // What was broken off is shown as that from now on.
      this.tellChanged(userId)
      resolve()
    }
  }

  /** Whether something of a person is being undone or made again. */
  isBusy(userId: number): boolean {
    return this.#busy.has(userId)
  }

  /** Replaces the head of an act. */
  async setHead(head: ActHead, isDurable: boolean): Promise<void> {
    await this.#inOrder(head.userId, () => saidWhenFull(this.#parts.store.setHead(head, isDurable)))
    this.tellChanged(head.userId)
  }

  /** Notes what a change of an act is by now. */
  setDeed(head: ActHead, line: DeedLine): Promise<void> {
    return saidWhenFull(this.#parts.store.append(head, [line]))
  }

  /** Further changes of a person belong to new acts. @param only an act, if not all of them: those that jobs still do stay open */
  async endActs(userId: number, only?: string): Promise<void> {
    const { store } = this.#parts
    const isMeant = (head: ActHead) => head.isOpen && (only === undefined ? !this.isRunning(head) : head.id === only)
    // Before it is their turn: then a job may have ended whose last changes wait to be written.
    const meant = new Set((await store.heads(userId).catch(() => [])).filter(isMeant).map(({ id }) => id))
    await this.#inOrder(userId, async () => {
      for (const head of await store.heads(userId)) {
        if (!head.isOpen || !meant.has(head.id)) continue
        this.#before.forget(head.id)
        await store.setHead({ ...head, isOpen: false }, false)
      }
    }).catch(this.#parts.report)
  }

  /** Removes what is kept of a person who is deleted. */
  removePerson(userId: number): Promise<void> {
    this.#noted.delete(userId)
    this.#saves.delete(userId)
    this.#losses.forget(userId)
    return this.#inOrder(userId, () => this.#parts.store.removePerson(userId)).catch(this.#parts.report)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#writing.values()].map((writing) => writing.hurry()))
    for (const userId of this.#losses.persons()) await this.#inOrder(userId, () => this.#losses.keep(userId))
    await this.#parts.store.close()
  }

  async #write(userId: number): Promise<void> {
    const noted = this.#noted.get(userId) ?? []
    this.#noted.delete(userId)
    // What is noted from now on waits for the next writing.
    this.#writing.delete(userId)
    await this.#losses.keep(userId)
    for (const [key, group] of Map.groupBy(noted, ({ chosen }) => chosen.actKey)) {
      try {
        await this.#add(userId, key, group)
      } catch (error) {
        this.#parts.report(error)
        await this.#noteLoss(userId, key, group[0] as Noted)
      }
    }
    this.#before.forgetUnused(this.#now() - this.limits.idle)
    this.tellChanged(userId)
  }

  async #noteLoss(userId: number, key: string, first: Noted): Promise<void> {
    const open = await this.#open(userId, key).catch(() => undefined)
    const act = open && !this.#isIdle(open, first) ? open.id : undefined
    this.#losses.add({ userId, key, first, act })
    if (act !== undefined) this.#before.forget(act)
  }

  async #add(userId: number, key: string, noted: readonly Noted[]): Promise<void> {
    const rest: Noted<Made>[] = []
    for (const { change, ...one } of noted) {
      if (change.what !== 'notMoved') {
        if (!(await this.#addToSave(userId, change))) rest.push({ ...one, change })
      } else if (!takenOut(rest, change)) {
        const act = await takeBack(this.#parts.store, await this.#open(userId, key), change)
        if (act) this.#before.forget(act.id)
        this.#counted.delete(one.chosen)
      }
    }
    const [first] = rest
    if (!first) return
    const { store } = this.#parts
    const opened = await this.#openAct(userId, key, first)
    const loss = this.#losses.find(opened)
    const head = loss ? { ...opened, isTooLarge: true } : opened
    const all = rest.map((one) => ({ ...one, deed: deedOf(one.change) }))
    // The changes that are noted again count once.
    const fresh = await this.#before.fresh(head, all, this.#now())
    if (fresh.length === 0 && !loss) return
    const isByJob = rest.some(({ chosen }) => chosen.way === 'job')
    const counted = isByJob ? await this.#before.entries(head, this.#now()) : new Set<string>()
    const lines = this.#linesOf(head, fresh, counted)
    const kept = lines.slice(0, Math.max(0, this.limits.deeds - head.deeds))
    await store.append(head, kept)
    const isTooLarge = head.isTooLarge || kept.length < lines.length
    const now = { deeds: head.deeds + kept.length, changedAt: this.#now() }
    const grown = { ...withLines(head, lines), ...now, ...(isTooLarge && { isTooLarge }) }
    // The notes of a job come one by one. The changes tell what the head does, but for that it is too large, and how old it is.
    const isTold = isByJob && !isTooLarge && this.#now() - (this.#headsKept.get(head) ?? 0) < longestUnkept
    if (isTold) await store.growHead(grown)
    else await store.setHead(grown, false)
    this.#headsKept.set(grown, isTold ? (this.#headsKept.get(head) ?? 0) : this.#now())
    for (const { chosen } of fresh) this.#counted.add(chosen)
    if (isByJob) for (const { chosen } of fresh) counted.add(chosen.path)
    if (loss) this.#losses.delete(loss)
    this.#rememberSave(userId, head.id, rest.length === 1 && first.chosen.kind === 'save' ? kept[0] : undefined)
  }

  /**
   * Each chosen entry is marked at its first change, so that it is known also when a kill comes before the head is written.
   * @param counted the paths of those of the act: a job that goes on with one, or tries it again, gives it anew
   */
  #linesOf(head: ActHead, noted: readonly (Noted & { deed: Deed })[], counted: ReadonlySet<string>): DeedLine[] {
    const marked = new Set<unknown>()
    return noted.map(({ chosen, deed }, index) => {
      const entry = chosen.way === 'job' ? chosen.path : chosen
      const isKnown = marked.has(entry) || this.#counted.has(chosen) || (chosen.way === 'job' && counted.has(chosen.path))
      marked.add(entry)
      const path = chosen.path === deed.at ? '' : chosen.path
      return { deed: head.deeds + index, is: deed, ...(!isKnown && { chosen: path }) }
    })
  }

  /** Saves of the editor that follow each other are one change: undone, it leads to the content before the first. */
  async #addToSave(userId: number, change: Made): Promise<boolean> {
    const last = this.#saves.get(userId)
    if (change.what !== 'savedAgain' || last?.at !== change.at || last.version !== change.before) return false
    const { store } = this.#parts
    const head = (await store.heads(userId)).find(({ id }) => id === last.act)
    if (head?.state !== 'done' || !('trace' in last.line.is)) return false
    const line = { ...last.line, is: { ...last.line.is, trace: change.trace } }
    await store.append(head, [line])
    await store.setHead({ ...head, changedAt: this.#now() }, false)
    this.#rememberSave(userId, head.id, line)
    return true
  }

  #rememberSave(userId: number, act: string, line: DeedLine | undefined) {
    if (line && 'trace' in line.is) this.#saves.set(userId, { act, line, at: line.is.at, version: line.is.trace.version })
    else this.#saves.delete(userId)
  }

  async #open(userId: number, key: string): Promise<ActHead | undefined> {
    return (await this.#parts.store.heads(userId)).findLast((head) => head.isOpen && head.key === key)
  }

  async #openAct(userId: number, key: string, first: Noted): Promise<ActHead> {
    const { store } = this.#parts
    const heads = await store.heads(userId)
    const open = heads.findLast((head) => head.isOpen && head.key === key)
    const isOver = open && this.#isIdle(open, first)
    if (isOver) await store.setHead({ ...open, isOpen: false }, false)
    return (isOver ? undefined : open) ?? this.#begin(userId, key, { heads, first })
  }

  /** Whether something belongs to another act under the same key, as it comes too late. */
  #isIdle({ changedAt }: ActHead, { chosen }: Noted): boolean {
    return chosen.way !== 'job' && this.#now() - changedAt > this.limits.idle
  }

  /** It is kept durably once: after a power failure changes that follow may have lost the offer to be undone. */
  async #begin(userId: number, key: string, { heads, first }: { heads: readonly ActHead[]; first: Noted }): Promise<ActHead> {
    const { store } = this.#parts
    const now = this.#now()
    // What the acts that came later leave of all that may be kept.
    let left = this.limits.inAll
    const isOver = ({ key: of, changedAt, deeds, begun }: ActHead, index: number) => {
      left -= deeds
      // One that is being undone stays until then, and one whose job may go on: undone without its beginning, it would look as if it was.
      const isInUse = begun !== undefined || this.#jobs?.isOver(userId, of) === false
      return !isInUse && (isDue(this.#parts.clock, changedAt, this.limits.age) || left < 0 || index >= this.limits.acts - 1)
    }
    for (const { id } of heads.toReversed().filter(isOver)) await store.remove(userId, id)
    const { kind, path } = first.chosen
    const head: ActHead = {
      ...{ id: randomBytes(16).toString('hex'), userId, number: (heads.at(-1)?.number ?? 0) + 1, key, kind },
      ...{ chosen: 0, names: [], folder: parentOf(path), deeds: 0, startedAt: now, changedAt: now },
      ...{ state: 'done', isOpen: true, turns: 0 },
    }
    await store.setHead(head, true)
    return head
  }

  #inOrder<T>(userId: number, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work, String(userId))
  }

  #now(): number {
    return this.#parts.clock.now()
  }
}

/** Milliseconds for which a head may be older than the changes of its act. */
const longestUnkept = 1000

const stillRunning = () => new Failure('conflict', 'its job is still running; stop it first')
