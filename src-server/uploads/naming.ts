// The end of an upload: the file gets its name, once, whoever waits for it and whether anybody still does.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { withdrawn } from '../users/access-revocation.ts'
import { type Asker, pathFor, rightLost } from './asker.ts'
import type { Target, UploadContent } from './content.ts'
import type { KeptUpload } from './kept-upload.ts'
import { askAgain } from './turns.ts'

export type NamingParts = Readonly<{
  kept: KeptUpload
  content: UploadContent
  clock: Clock
  report(error: unknown): void
}>

/** Milliseconds for which what was forbidden is not asked again for those who ask how far the upload is: commands of events may be slow. */
const refusalHolds = 10_000

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
  begin(asker: Asker): Promise<void> {
    const running = this.#run(asker).finally(() => {
      this.#running = undefined
    })
    // Whoever waits for it may have left.
    running.catch(() => {})
    this.#running = running
    return running
  }

  /** The same for who only asks. @throws what was forbidden a moment ago */
  beginUnlessForbidden(asker: Asker): Promise<void> {
    const { failure, at = 0 } = this.#refused ?? {}
    const holds = failure?.code === 'forbidden' && this.#parts.clock.elapsed() - at < refusalHolds
    return holds ? Promise.reject(failure) : this.begin(asker)
  }

  stop(reason: unknown): void {
    this.#operation?.abort(reason)
  }

  async #run(asker: Asker) {
    const { kept } = this.#parts
    const operation = new Operation()
    this.#operation = operation
    try {
      const { actKey = asker.source.actKey } = kept.record
      const held = await asker.hold(operation, { ...asker.source, actKey })
      await this.#name({
        files: held.files,
        // Its folder may be moved meanwhile.
        get path() {
          return pathFor(held, kept.record)
        },
      })
      this.#refused = undefined
    } catch (error) {
      throw await this.#noted(error === withdrawn ? rightLost() : error)
    } finally {
      this.#operation = undefined
      await operation.end()
    }
  }

  async #name(target: Target) {
    const { kept, content } = this.#parts
    if (await content.settle(target)) return
    const { id, override = false, condition = {}, offset, sealed } = kept.record
    // Of an empty file nothing has come that would have made it.
    if (offset === 0) await content.make(target)
    const onSealed = (version: string) => kept.save({ sealed: version, refused: undefined })
    // Only of this name: what has another one is somebody else's.
    const sealedBefore = sealed === this.#sealedBefore ? sealed : undefined
    const how = { id, override, condition, bytes: offset, onSealed, sealedBefore }
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
