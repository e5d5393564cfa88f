// One upload that may break off and go on later. One request at a time has it.
import { dueAt } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { orAborted } from '../base/or-aborted.ts'
import { childOf, type Path, parentOf } from '../base/paths.ts'
import type { UploadRecord, UploadStore } from '../state/upload-store.ts'
import { withdrawn } from '../users/access-revocation.ts'
import { type Asker, pathFor } from './asker.ts'
import { type ContentParts, gone, type Piece, type Target, UploadContent } from './content.ts'
import { KeptUpload } from './kept-upload.ts'
import { Naming, type NamingParts } from './naming.ts'
import { askAgain, atWork, longestWait, type Receiving, Turns } from './turns.ts'

export type { Piece }

export type UploadParts = Omit<NamingParts, 'kept' | 'content'> &
  Pick<ContentParts, 'discard' | 'named' | 'isNamed' | 'isMoving'> &
  Readonly<{
    store: UploadStore
    /** Called of one that ends without a name, when its bytes are gone. @param remove removes its record: a kill may come before */
    ending?(record: UploadRecord, remove: () => Promise<void>): Promise<void>
    /** Whether what there is of one is in the trash, and may come back with its folder. @param hasContent beside folders made for it */
    isAway?(record: UploadRecord, hasContent: boolean): Promise<boolean>
    /** Whether a folder above a path of the served root is being moved, or goes into the trash or out of it. */
    isPassing(path: string): boolean
    /** Milliseconds for which one is kept after its last byte. */
    life(record: UploadRecord): number
    /** The same of one without bytes, when that is less. */
    lifeWithoutBytes: number
    /** Called when its end may be another one. */
    onChange(upload: Upload): void
  }>

const serverEnds = () => new Failure('busy', 'the server ends', { retryAfter: askAgain })

type TurnHow = Readonly<{ work(): Promise<void>; receiving?: Receiving; name?(): Promise<void> }>

/** Milliseconds that a client takes at most, as a rule, from one piece to the next. */
const betweenPieces = 3000

const isOfName = (error: unknown) => error instanceof Failure && ['forbidden', 'invalid'].includes(error.code)

export const day = 24 * 3600_000

export class Upload {
  readonly #parts: UploadParts
  readonly #kept: KeptUpload
  readonly #content: UploadContent
  readonly #naming: Naming
  readonly #turns: Turns
  /** When the last piece had come, which has come whole; by the clock that is not set. */
  #cameAt: number | undefined

  constructor(parts: UploadParts, record: UploadRecord) {
    this.#parts = parts
    const kept = new KeptUpload(parts.store, parts.clock, record)
    const { discard, named, isNamed, isMoving, report, clock } = parts
    const content = new UploadContent(kept, { discard, named, isNamed, isMoving, report, now: () => clock.now() })
    this.#kept = kept
    this.#content = content
    this.#naming = new Naming({ ...parts, kept, content })
    this.#turns = new Turns(clock, () => this.#naming.running)
  }

  /** Makes it known to the next start. @throws as `KeptUpload.save` */
  keep(): Promise<void> {
    return this.#kept.save({})
  }

  get record(): UploadRecord {
    return this.#kept.record
  }

  get isFinished(): boolean {
    return this.#kept.isFinished
  }

  /** Whether all bytes are there, of one that has no name yet. */
  get isComplete(): boolean {
    return this.#kept.isComplete
  }

  get isRemoved(): boolean {
    return this.#kept.isRemoved
  }

  /** Whether it cannot be gone on with: its bytes are missing, or it is over. */
  get isGone(): boolean {
    return !this.isFinished && (this.#kept.isGone || this.isDue || this.isEnded)
  }

  /** Whether it is over, and is there until its folder comes back from the trash. */
  get isEnded(): boolean {
    return this.record.ended === true
  }

  get isDue(): boolean {
    return this.dueAt <= this.#parts.clock.now()
  }

  get isReceiving(): boolean {
    return this.#turns.receiving !== undefined
  }

  /** Whether bytes come, or a whole piece has just come: its client is about to send the next. */
  get isArriving(): boolean {
    const { clock } = this.#parts
    return this.isReceiving || (this.#cameAt !== undefined && clock.elapsed() - this.#cameAt < betweenPieces)
  }

  get isInUse(): boolean {
    return !this.#turns.isFree
  }

  /** Milliseconds since the epoch. One that has its name is known for a day, so that a lost answer makes no second file. */
  get dueAt(): number {
    const { finishedAt, offset, changedAt } = this.record
    const { clock, lifeWithoutBytes } = this.#parts
    if (finishedAt !== undefined) return dueAt(clock, finishedAt, day)
    const life = this.#parts.life(this.record)
    return dueAt(clock, changedAt, offset === 0 ? Math.min(lifeWithoutBytes, life) : life)
  }

  /**
   * Adds bytes; when they are the last ones, the file gets its name.
   * @throws Failure('range') when they do not begin where the upload ends, Failure('tooLarge') when they are too many, Failure('mismatch'),
   *   Failure('changed') when another request has taken the upload over, Failure('gone'), and what the disk and the commit throw. What came
   *   before counts, unless it was found to be wrong.
   */
  async receive(asker: Asker, piece: Piece): Promise<void> {
    const work = async () => {
      this.#assertThere()
      const isNeeded = await this.#content.isNeeded(piece)
      if (!isNeeded) return
      this.#kept.touch()
      await this.#withTarget(asker, (target) => this.#content.add(target, piece))
      this.#cameAt = this.#parts.clock.elapsed()
    }
    this.#cameAt = undefined
    const naming = await this.#inTurn({ work, receiving: piece.body, name: () => this.#naming.begin(asker) })
    // It goes on when the client has left.
    if (naming) await orAborted(naming.ended, asker.signal)
  }

  /** Finds out how far it is. When all bytes are there, the file gets its name. @throws as `receive`, Failure('locked') when that takes long */
  async look(asker: Asker): Promise<void> {
    const name = () => this.#naming.beginUnlessForbidden(asker)
    const naming = await this.#inTurn({ work: () => this.#check(asker), name })
    if (naming) await this.#soon(naming.ended)
  }

  /** Another name in the same folder, or what has the name is replaced. @throws as `look`, Failure('notFound') once it has its name */
  async rename(asker: Asker, { name, override }: Readonly<{ name?: string | undefined; override: boolean }>): Promise<void> {
    const work = async () => {
      const { path: former } = this.record
      const path = name === undefined ? former : childOf(parentOf(former as Path), name)
      // The former name may be one that is forbidden, or too long for the disk.
      await this.#check(asker).catch((error: unknown) => {
        if (path === former || !isOfName(error)) throw error
      })
      if (this.isFinished) throw new Failure('notFound')
      await this.#withTarget(asker, ({ files }) => files.writing.assertMayUpload(pathFor(asker, { path })))
      // What was known before the commit was about the name that it had.
      const before = { condition: undefined, refused: undefined, sealed: undefined }
      await this.#kept.save({ ...before, path, override: override || undefined })
    }
    const naming = await this.#inTurn({ work, name: () => this.#naming.begin(asker) })
    if (naming) await orAborted(naming.ended, asker.signal)
  }

  /** Removes it with its bytes. @throws Failure('notFound') once the file has its name: that stays, Failure('locked') */
  async remove(): Promise<void> {
    const work = async () => {
      if (this.isRemoved) throw new Failure('notFound')
      await this.settle()
      if (this.isFinished) throw new Failure('notFound')
      await this.#forget()
    }
    await this.#inTurn({ work })
  }

  /** Its time is over, or its person is deleted. A file that has its name stays. @throws what keeps it from being removed */
  end(): Promise<void> {
    return this.#end(false)
  }

  /** The same, and also of one in the trash nothing is known any more: what there is of it goes with its folder. */
  forget(): Promise<void> {
    return this.#end(true)
  }

  async #end(isForgotten: boolean) {
    this.#turns.interrupt(gone())
    this.#naming.stop(withdrawn)
    await this.#turns.free()
    const turn = await this.#turns.enter()
    try {
      if (!this.isRemoved) {
        await this.settle()
        await this.#forget(isForgotten)
      }
    } finally {
      turn.end()
    }
    this.#parts.onChange(this)
  }

  /** Finds out whether a commit that was broken off has named the file. */
  async settle(): Promise<void> {
    await this.#content.settleAlone()
  }

  /** The folder that it is in is about to be moved. @param path of the served root, that it has then */
  goTo(path: string): Promise<void> {
    return this.#kept.save({ movingTo: path })
  }

  /** The folder that it is in was moved. @param path of the served root */
  follow(path: string): Promise<void> {
    return this.#kept.save({ path, movingTo: undefined })
  }

  /** It is where it was. */
  async stay(): Promise<void> {
    if (this.record.movingTo !== undefined) await this.#kept.save({ movingTo: undefined })
  }

  /** The server ends: what has come is kept. */
  stopReceiving(): void {
    this.#turns.interrupt(serverEnds())
  }

  /** @returns when nothing runs any more */
  async close(): Promise<void> {
    this.stopReceiving()
    this.#naming.stop(serverEnds())
    await this.#turns.free()
  }

  /** @param how.name begins to name the file when all bytes are there @returns its end: the turn does not last as long */
  async #inTurn({ work, receiving, name }: TurnHow): Promise<{ ended: Promise<void> } | undefined> {
    const turn = await this.#turns.enter(receiving)
    try {
      await work()
      const ended = this.#kept.isComplete ? name?.() : undefined
      ended?.then(
        () => this.#parts.onChange(this),
        () => this.#parts.onChange(this),
      )
      return ended && { ended }
    } finally {
      turn.end()
      this.#parts.onChange(this)
    }
  }

  async #check(asker: Asker) {
    this.#assertThere()
    if (!this.isFinished && this.record.offset > 0) await this.#withTarget(asker, (target) => this.#content.check(target))
  }

  #assertThere() {
    if (this.isRemoved) throw new Failure('notFound')
    if (!this.isFinished && (this.isDue || this.isEnded)) throw gone()
  }

  async #forget(isForgotten = false) {
    // The bytes first: without the record nobody would know them.
    const isFound = await this.#parts.discard(this.record)
    if (!isForgotten && !isFound && !this.isFinished && (await this.#mayComeBack())) return
    const remove = () => this.#kept.remove()
    await (this.isFinished || !this.#parts.ending ? remove() : this.#parts.ending(this.record, remove))
  }

  /**
   * Whether what there is of it is in the trash, or where its folder is just going: then it is over, and stays known until its folder is
   * there, comes back or is gone for good.
   */
  async #mayComeBack(): Promise<boolean> {
    const { isAway = async () => false, discard } = this.#parts
    const hasContent = this.record.offset > 0 || this.#kept.hasContent
    // Without bytes there is hardly ever anything.
    if (!hasContent && !(await isAway(this.record, false))) return false
    if (!this.isEnded) await this.#kept.save({ ended: true })
    const isPassing = () => hasContent && this.#parts.isPassing(this.record.path)
    // It may begin, or end, while the trash is asked.
    const mayComeBack = isPassing() || (await isAway(this.record, hasContent)) || isPassing()
    // What comes back from now on ends it once more. What has come back before is found now.
    return !(await discard(this.record)) && mayComeBack
  }

  async #withTarget(asker: Asker, work: (target: Target) => Promise<void>) {
    // Not the operation of the request: what has come is synced also when the client has left.
    const operation = new Operation()
    try {
      const path = pathFor(asker, this.record)
      const { path: recorded } = this.record
      await work({ files: asker.filesIn(operation), path, recorded })
    } finally {
      await operation.end()
    }
  }

  /** @throws Failure('locked') when it takes long */
  async #soon(work: Promise<void>) {
    const late = Promise.withResolvers<never>()
    const cancel = this.#parts.clock.after(longestWait, () => late.reject(atWork()))
    try {
      await Promise.race([work, late.promise])
    } finally {
      cancel()
    }
  }
}
