// Takes back what one person has changed, or makes it again, with the rights of this moment.
import { pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import { childOf, nameOf, type Path, parentOf, pathBelow, rootPath } from '../base/paths.ts'
import type { HowChanged, WhyNot } from '../contract/history.ts'
import { mountedSince } from '../disk/disk.ts'
import type { FileAct } from '../events/events.ts'
import type { Deed } from '../state/history-store.ts'
import { withPaths } from './deeds.ts'
import { type Flip, type FlipHow, type FlipParts, flipOf, identityAt, NotAsLeft, type OwnDeed, whyNotFlip } from './flip.ts'
import { trulyAt } from './folders.ts'
import { assertWhole, type WholeFolder, wholeFolderOf, wholeIntoTrash } from './whole-folder.ts'

type OwnDeedsParts = FlipParts &
  Readonly<{
    /** Tells the listeners of a change. @param act with the paths of the principal */
    announce<T>(act: FileAct, work: () => Promise<T>): Promise<T>
  }>

/** The paths of deeds are those of the served root: the person may have another scope by now. */
export class OwnDeeds {
  readonly #parts: OwnDeedsParts

  constructor(parts: OwnDeedsParts) {
    this.#parts = parts
  }

  /** How something differs from what a change left, so that the reverse cannot be done; nothing is changed. */
  async differenceSince(deed: Deed, how: Pick<FlipHow, 'mayCross' | 'isMain'>): Promise<HowChanged | undefined> {
    try {
      await flipOf(this.#parts, this.#own(deed), { item: '', continues: false, ...how })
      return undefined
    } catch (error) {
      return this.#howOf(error)
    }
  }

  /** Finds in the trash what came there by some changes before a kill, and was not noted. */
  async compareTrash(deeds: readonly Deed[]): Promise<void> {
    const { trash, context } = this.#parts
    if (!trash) return
    const paths = new Set(deeds.flatMap((deed) => ('from' in deed ? [deed.at, deed.from] : [deed.at]) as Path[]))
    // Those of one folder have the same links on the way.
    const byFolder = Map.groupBy(paths, parentOf)
    const truly: Path[] = []
    for (const [folder, all] of byFolder) {
      const own = this.pathOf(folder)
      const one = own === undefined || own === rootPath ? childOf(folder, 'x') : await trulyAt(context, childOf(own, 'x'))
      truly.push(...(one === rootPath ? [one] : all.map((path) => childOf(parentOf(one), nameOf(path)))))
    }
    await trash.compareAt(truly, context.signal)
  }

  /** Why the reverse of a change is impossible, as far as no disk has to be asked. */
  whyNot(deed: Deed, mayCross = true): WhyNot | undefined {
    const isWithin = [deed.at, ...('from' in deed ? [deed.from] : [])].every((path) => this.pathOf(path) !== undefined)
    return isWithin ? whyNotFlip(this.#parts, this.#own(deed), mayCross) : 'outside'
  }

  /** What the way of an entry to another file system has left at its end, after it failed. @returns '' where nothing identifies it, or nothing is there */
  async halfOf(deed: Extract<Deed, { what: 'move' }>): Promise<string> {
    const from = this.pathOf(deed.from)
    return from === undefined ? '' : identityAt(this.#parts.context, from)
  }

  /**
   * Does the reverse of a change.
   * @returns the deed as it is then, or how it differs from what was left: nothing is changed then @throws Failure('full')
   */
  flip(deed: Deed, how: FlipHow): Promise<Deed | HowChanged> {
    return this.#flip(() => flipOf(this.#parts, this.#own(deed), how))
  }

  /** Whether all that an act has made in a folder that it has made is there as it was left, and nothing else. @param below those changes */
  async isWhole(folder: Deed, below: readonly Deed[]): Promise<boolean> {
    try {
      const whole = this.#whole(folder, below)
      await wholeIntoTrash(this.#parts, whole, { item: '', continues: false, mayCross: false })
      await assertWhole(this.#parts, whole)
      return true
    } catch (error) {
      this.#howOf(error)
      return false
    }
  }

  /** Puts such a folder into the trash with what is in it. @returns as `flip` does @throws as `flip` does */
  flipWhole(folder: Deed, below: readonly Deed[], how: FlipHow): Promise<Deed | HowChanged> {
    return this.#flip(() => wholeIntoTrash(this.#parts, this.#whole(folder, below), how))
  }

  async #flip(check: () => Promise<Flip | OwnDeed>): Promise<Deed | HowChanged> {
    try {
      const flip = await check()
      const flipped = 'what' in flip ? flip : await this.#parts.announce({ ...flip.act, isReverse: true }, flip.run)
      return withPaths(flipped, (path) => pathsOf(this.#parts.context.principal, path).served)
    } catch (error) {
      return this.#howOf(error)
    }
  }

  /** A path of the served root as one of the person's own; undefined outside their files. */
  pathOf(served: string): Path | undefined {
    return pathBelow(pathsOf(this.#parts.context.principal, rootPath).served, served as Path)
  }

  /** @throws NotAsLeft */
  #whole(folder: Deed, below: readonly Deed[]): WholeFolder {
    const own = below.map((deed) => this.#own(deed))
    return wholeFolderOf(this.#own(folder), own)
  }

  /** @throws NotAsLeft */
  #own(deed: Deed): Deed<Path> {
    return withPaths(deed, (served) => {
      const own = this.pathOf(served)
      if (own === undefined) throw new NotAsLeft('outside')
      return own
    })
  }

  /** @throws the signal's reason when it was stopped, what is no refusal, and Failure('full'), which says why there is no space */
  #howOf(error: unknown): HowChanged {
    this.#parts.context.signal.throwIfAborted()
    if (error instanceof NotAsLeft) return error.how
    if (!(error instanceof Failure) || error.code === 'full') throw error
    if (error.template === mountedSince) return 'failed'
    if (error.code === 'conflict') return error.template === 'the name is taken' ? 'taken' : 'changed'
    return error.code === 'forbidden' ? 'forbidden' : error.code === 'notFound' ? 'missing' : 'failed'
  }
}
