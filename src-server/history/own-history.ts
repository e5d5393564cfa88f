// What the person who calls has done, and taking it back.
import { Failure } from '../base/failure.ts'
import type { Act, Undone, WhyNot } from '../contract/history.ts'
import type { OwnDeeds } from '../files/own-deeds.ts'
import type { ActHead, Deed, DeedLine } from '../state/history-store.ts'
import type { History } from './history.ts'
import { type Direction, type Left, type UndoHow, undoAct } from './undo.ts'

type OwnHistoryParts = Readonly<{ history: History; userId: number; deeds: OwnDeeds }>

type AskedUndo = UndoHow & Readonly<{ hasBegun?: boolean }>

export class OwnHistory {
  readonly #parts: OwnHistoryParts

  constructor(parts: OwnHistoryParts) {
    this.#parts = parts
  }

  /** The newest first. */
  async list(): Promise<Act[]> {
    const { history, userId } = this.#parts
    const heads = await history.acts(userId)
    const newest = heads[0]?.number ?? 0
    const asked = heads.filter((head) => !history.isIncomplete(head))
    const lines = new Map(await history.deeds(userId, idsOf(asked), true))
    // Where nothing can be done with the first changes, something may be with others.
    const more = asked.filter((head) => {
      const first = lines.get(head.id) ?? []
      // Of an act that is long only these are read for a list.
      return first.length < head.deeds && !history.isLong(head) && this.#whyNone(first, head, newest) !== undefined
    })
    for (const [id, all] of await history.deeds(userId, idsOf(more))) lines.set(id, all)
    return heads.map((head) => this.#shown(head, newest, lines.get(head.id) ?? []))
  }

  /**
   * Undoes an act, or does it again.
   * @param how.hasBegun it may have been done already by the same job, which broke off: then it says so
   * @returns `isChanged` false: nothing was changed, because something is not as it was left
   * @throws Failure('notFound'), Failure('conflict') when the act cannot be undone, Failure('busy') while another one is
   */
  async undo(
    id: string,
    direction: Direction,
    { hasBegun = false, ...how }: AskedUndo,
  ): Promise<Undone & { isChanged: boolean }> {
    const { history, userId, deeds } = this.#parts
    const work = async () => {
      // What is noted at this moment belongs to the act, or comes after it.
      await history.kept({ userId })
      const heads = await history.acts(userId)
      const head = heads.find((one) => one.id === id)
      if (!head) throw new Failure('notFound')
      const newest = heads[0]?.number ?? 0
      const isOver = hasBegun && !head.begun && head.state === (direction === 'undo' ? 'undone' : 'done')
      if (isOver) return { act: await this.#read(head, newest), done: head.deeds, left: [], isChanged: true }
      this.#assertPossible(head, newest, direction)
      const { head: now, left, ...result } = await undoAct({ history, deeds, head, newest, direction, how })
      const [listed, more] = [left.slice(0, mostLeft), left.length - mostLeft]
      const act = await this.#read(now, newest)
      return { ...result, act, left: listed.map((one) => this.#leftOf(one)), ...(more > 0 && { more }) }
    }
    // A job waits for its turn, somebody who asks does not.
    const outcome = await history.alone(userId, work, how.job?.signal)
    if (!outcome) throw new Failure('busy', 'something is being undone already', { retryAfter: 1 })
    return outcome
  }

  async #read(head: ActHead, newest: number): Promise<Act> {
    const { history, userId } = this.#parts
    const isShort = history.isLong(head)
    return this.#shown(head, newest, (await history.deeds(userId, [head.id], isShort)).get(head.id) ?? [])
  }

  #assertPossible(head: ActHead, newest: number, direction: Direction) {
    const isPossible = direction === 'undo' ? mayUndo(head) : mayRedo(head, newest)
    if (!isPossible) throw new Failure('conflict', 'this was undone already, or something else was done since')
  }

  #leftOf({ path, how }: Left): Undone['left'][number] {
    return { path: this.#parts.deeds.pathOf(path) ?? '', how }
  }

  #shown(head: ActHead, newest: number, lines: readonly DeedLine[]): Act {
    const { id, key, kind, startedAt, chosen, names, folder, state, begun } = head
    const { history } = this.#parts
    const why = history.isIncomplete(head) ? 'tooMany' : this.#whyNone(lines, head, newest)
    const isBusy = history.isBusy(head.userId)
    return {
      ...{ id, key, kind, at: startedAt, count: chosen, names, folder: this.#parts.deeds.pathOf(folder) ?? '', state },
      ...{ mayUndo: why === undefined && mayUndo(head), mayRedo: why === undefined && mayRedo(head, newest) },
      ...(begun && !isBusy && { begun }),
      ...(history.isLong(head) && { byJob: true }),
      ...(why && { why }),
    }
  }

  /** Why nothing of it can be undone or done again, as far as no disk has to be asked. */
  #whyNone(lines: readonly DeedLine[], head: ActHead, newest: number): WhyNot | undefined {
    if (head.state === 'undone' && !mayRedo(head, newest)) return 'newer'
    const main = lines.filter(({ is }) => is.what !== 'folder')
    const reasons = (main.length > 0 ? main : lines).map(({ is }) => this.#parts.deeds.whyNot(is as Deed))
    // Others may be in the trash still.
    const isUnsure = lines.length < head.deeds && reasons.includes('purged')
    return !isUnsure && reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined
  }
}

/** How many entries are listed that were left as they are. */
const mostLeft = 1000

const idsOf = (heads: readonly ActHead[]) => heads.map(({ id }) => id)

/** What broke off can only be continued. */
function mayUndo({ state, begun }: ActHead): boolean {
  return begun ? begun === 'undo' : state !== 'undone'
}

function mayRedo({ state, begun, newest }: ActHead, now: number): boolean {
  return begun ? begun === 'redo' : state !== 'done' && newest === now
}
