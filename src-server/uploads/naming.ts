// The end of an upload: the file gets its name, once, whoever waits for it and whether anybody still does.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import { childOf, nameOf, type Path, parentOf } from '../base/paths.ts'
import { withdrawn } from '../users/access-revocation.ts'
import { type Asker, pathFor, rightLost } from './asker.ts'
import { movedMeanwhile, type Target, type UploadContent } from './content.ts'
import type { KeptUpload } from './kept-upload.ts'
import type { Numbers } from './numbers.ts'

export type NamingParts = Readonly<{
  kept: KeptUpload
  content: UploadContent
  /** With it a file whose name is taken gets a number. */
  numbers?: Numbers | undefined
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
  /** Whether its path is one that was free, and that no other upload gets. */
  #isChosen = false

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
      await this.#nameFree({
        files: held.files,
        // Its folder may be moved meanwhile.
        get path() {
          return pathFor(held, kept.record)
        },
        served: held.servedOf,
      })
      this.#refused = undefined
    } catch (error) {
      // A command that was stopped has refused nothing.
      const { aborted, reason } = operation.signal
      const why = aborted ? reason : error
      throw await this.#noted(why === withdrawn ? rightLost() : why)
    } finally {
      this.#operation = undefined
      await operation.end()
    }
  }

  /** Where names are numbered, others may get one first: then the next is tried. */
  async #nameFree(target: FreeTarget) {
    const { numbers } = this.#parts
    if (!numbers) return this.#name(target)
    for (let tries = 1; ; tries++) {
      // A commit that was broken off may have named it.
      if (this.#parts.kept.record.sealed === undefined && !this.#isChosen) await this.#choose(target, numbers)
      try {
        return await this.#name(target)
      } catch (error) {
        const isTaken = error instanceof Failure && error.code === 'conflict'
        if (!isTaken || tries === mostTries) throw error
        this.#isChosen = false
        await this.#parts.kept.save({ sealed: undefined })
      }
    }
  }

  async #choose(target: FreeTarget, numbers: Numbers) {
    const { kept } = this.#parts
    const { path, request } = kept.record
    // Not the name with a number that it was given before.
    const wanted = childOf(parentOf(target.path), nameOf((request?.name ?? path) as Path))
    const free = await numbers.freePath(target.files, wanted, target.served(wanted))
    await kept.save({ path: target.served(free) })
    this.#isChosen = true
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
    if (isMoved(error)) return movedMeanwhile()
    if (!(error instanceof Failure) || !refusals.includes(error.code)) return content.goneIfMissing(error)
    this.#refused = { failure: error, at: clock.elapsed() }
    const { code, template, about } = error
    await kept.save({ refused: { code, template, about: { ...about } } }).catch(report)
    return error
  }
}

/** The served path of one of the asker's. */
type FreeTarget = Target & Readonly<{ served(path: Path): Path }>

/** Attempts when a free name is taken by others. */
const mostTries = 20

const refusals: readonly string[] = ['conflict', 'changed', 'forbidden', 'invalid']

const isMoved = (error: unknown) => error instanceof Failure && error.template === 'the folder was moved meanwhile'
