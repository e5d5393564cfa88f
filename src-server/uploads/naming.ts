// The end of an upload: the file gets its name, once, whoever waits for it and whether anybody still does.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { AccountView } from '../state/views.ts'
import { type AccessRevocation, accessOf, type Grant, withdrawn } from '../users/access-revocation.ts'
import { mayGoOn, rightsOf } from '../users/rights.ts'
import type { Target, UploadContent } from './content.ts'
import { type KeptUpload, ownPathOf } from './kept-upload.ts'
import { askAgain } from './turns.ts'

export type NamingParts = Readonly<{
  kept: KeptUpload
  content: UploadContent
  revocation: Pick<AccessRevocation, 'holdPerson'>
  /** The operation owns the disk. */
  filesOf(me: AccountView, operation: Operation, source: Source, grant?: Grant): UserFiles
  clock: Clock
  report(error: unknown): void
}>

/** Milliseconds for which what was forbidden is not asked again for those who ask how far the upload is: commands of events may be slow. */
const refusalHolds = 10_000

const right = () => new Failure('forbidden', 'the right to this was withdrawn')

export class Naming {
  readonly #parts: NamingParts
  /** What a commit of an earlier run of the server was about to name, when it was not refused. */
  readonly #sealedBefore: string | undefined
  #running: Promise<void> | undefined
  #operation: Operation | undefined
  #refused: { failure: Failure; at: number } | undefined

  constructor(parts: NamingParts) {
    this.#parts = parts
    const { sealed, refused } = parts.kept.record
    this.#sealedBefore = parts.kept.isFinished || refused ? undefined : sealed
  }

  /** Settles when it ends; undefined while there is none. */
  get running(): Promise<void> | undefined {
    return this.#running
  }

  /** @throws Failure('conflict' | 'changed' | 'forbidden' | 'invalid') when it is refused, which is noted, Failure('gone'), Failure('locked') */
  begin(me: AccountView, source: Source): Promise<void> {
    const running = this.#run(me, source).finally(() => {
      this.#running = undefined
    })
    // Whoever waits for it may have left.
    running.catch(() => {})
    this.#running = running
    return running
  }

  /** The same for who only asks. @throws what was forbidden a moment ago */
  beginUnlessForbidden(me: AccountView, source: Source): Promise<void> {
    const { failure, at = 0 } = this.#refused ?? {}
    const holds = failure?.code === 'forbidden' && this.#parts.clock.elapsed() - at < refusalHolds
    return holds ? Promise.reject(failure) : this.begin(me, source)
  }

  stop(reason: unknown): void {
    this.#operation?.abort(reason)
  }

  async #run(me: AccountView, asked: Source) {
    const { kept, revocation, filesOf } = this.#parts
    const operation = new Operation()
    this.#operation = operation
    try {
      // News may come before it is held.
      let held: Readonly<{ begun: AccountView; now(): AccountView }> | undefined
      const mayStill = () => !held || mayGoOn(rightsOf(held.begun), rightsOf(held.now()))
      const check = () => {
        if (!mayStill()) throw right()
      }
      const now = await revocation.holdPerson(accessOf(me.user), operation, () => {
        if (!mayStill()) operation.abort(withdrawn)
      })
      const begun = now()
      held = { begun, now }
      const { actKey = asked.actKey } = kept.record
      const files = filesOf(begun, operation, { ...asked, actKey }, { check })
      // Its folder may be moved meanwhile.
      const path = () => ownPathOf(kept.record, begun.user)
      await this.#name({
        files,
        get path() {
          return path()
        },
      })
      this.#refused = undefined
    } catch (error) {
      throw await this.#noted(error === withdrawn ? right() : error)
    } finally {
      this.#operation = undefined
      await operation.end()
    }
  }

  async #name(target: Target) {
    const { kept, content } = this.#parts
    if (await content.settle(target)) return
    const { id, override = false, condition = {}, offset, sealed, made } = kept.record
    // Of an empty file nothing has come that would have made it.
    if (offset === 0) await content.make(target)
    const onSealed = (version: string) => kept.save({ sealed: version, refused: undefined })
    // Only of this name: what has another one is somebody else's.
    const sealedBefore = sealed === this.#sealedBefore ? sealed : undefined
    const how = { id, override, condition, bytes: offset, onSealed, sealedBefore, made }
    const finish = () => target.files.writing.finish(target.path, how)
    const { version } = await finish().catch((error: unknown) => (isMoved(error) ? finish() : Promise.reject(error)))
    await content.finish(version)
  }

  /** @returns what is answered */
  async #noted(error: unknown): Promise<unknown> {
    const { kept, content, clock, report } = this.#parts
    if (isMoved(error)) return new Failure('locked', 'the folder was moved meanwhile', { retryAfter: askAgain })
    if (!(error instanceof Failure) || !refusals.includes(error.code)) return content.goneIfMissing(error)
    this.#refused = { failure: error, at: clock.elapsed() }
    const { code, template, about } = error
    await kept.save({ refused: { code, template, about: { ...about } } }).catch(report)
    return error
  }
}

const refusals: readonly string[] = ['conflict', 'changed', 'forbidden', 'invalid']

const isMoved = (error: unknown) => error instanceof Failure && error.template === 'the folder was moved meanwhile'
