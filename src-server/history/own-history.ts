// What the person who calls has done, and taking it back.
import { Failure } from '../base/failure.ts'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import type { Act, Undone, WhyNot } from '../contract/history.ts'
import type { OwnDeeds } from '../files/own-deeds.ts'
import type { ActHead, DeedLine } from '../state/history-store.ts'
import type { History } from './history.ts'
import { type Direction, type Left, type UndoHow, undoAct } from './undo.ts'
import { type PresentLine, presentLines } from './whole-folders.ts'

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
    const first = await history.deeds(userId, idsOf(asked), true)
    const reasons = await this.#reasonsOf(first)
    // Where nothing can be done with the first changes, something may be with others. Of an act that is long only these are read.
    const isMore = (head: ActHead) => (first.get(head.id)?.length ?? 0) < head.deeds && !history.isLong(head)
    const more = asked.filter((head) => reasons.has(head.id) && !isOver(head, newest) && isMore(head))
    const all = await history.deeds(userId, idsOf(more))
    const reasonsOfAll = await this.#reasonsOf(all)
    return heads.map((head) => {
      const { id } = head
      const [lines, found] = all.has(id) ? [all, reasonsOfAll] : [first, reasons]
      return this.#shown(head, newest, { count: lines.get(id)?.length ?? 0, reason: found.get(id) })
    })
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
    const lines = await history.deeds(userId, [head.id], history.isLong(head))
    const reasons = await this.#reasonsOf(lines)
    return this.#shown(head, newest, { count: lines.get(head.id)?.length ?? 0, reason: reasons.get(head.id) })
  }

  #assertPossible(head: ActHead, newest: number, direction: Direction) {
    const isPossible = direction === 'undo' ? mayUndo(head) : mayRedo(head, newest)
    if (!isPossible) throw new Failure('conflict', 'this was undone already, or something else was done since')
  }

  #leftOf({ path, how }: Left): Undone['left'][number] {
    return { path: this.#parts.deeds.pathOf(path) ?? '', how }
  }

  #shown(head: ActHead, newest: number, seen: Seen): Act {
    const { id, key, kind, startedAt, chosen, names, folder, state, begun } = head
    const { history } = this.#parts
    const whyNever = history.isIncomplete(head) ? whyIncomplete(head, history.limits) : whyNone(head, newest, seen)
    const why = whyNever ?? (history.isRunning(head) ? 'running' : undefined)
    const isBusy = history.isBusy(head.userId)
    return {
      ...{ id, key, kind, at: startedAt, count: chosen, names, folder: this.#parts.deeds.pathOf(folder) ?? '', state },
      ...{ mayUndo: why === undefined && mayUndo(head), mayRedo: why === undefined && mayRedo(head, newest) },
      ...(begun && !isBusy && { begun }),
      ...(history.isLong(head) && { byJob: true }),
      ...(why && { why }),
    }
  }

  /** Of each act of whose changes none can be taken back or made again, as far as no disk has to be asked: why not. */
  async #reasonsOf(lines: ReadonlyMap<string, readonly DeedLine[]>): Promise<ReadonlyMap<string, WhyNot>> {
    // What is in the trash with a folder comes back with it.
    const deedOf = ({ is, within }: PresentLine) => within?.is ?? is
    const changes = [...lines].flatMap(([id, all]) => mainOf(presentLines(all)).map((line) => ({ id, is: deedOf(line) })))
    const reasons = new Map<string, WhyNot>()
    const possible = new Set<string>()
    await eachYielding(changes, ({ id, is }) => {
      if (possible.has(id)) return
      const reason = this.#parts.deeds.whyNot(is)
      if (reason === undefined) possible.add(id)
      else if (!reasons.has(id)) reasons.set(id, reason)
    })
    for (const id of possible) reasons.delete(id)
    return reasons
  }
}

/** How many changes of an act were looked at, and why none of them can be undone or done again. */
type Seen = Readonly<{ count: number; reason: WhyNot | undefined }>

/** Why nothing of an act can be undone or done again. */
function whyNone(head: ActHead, newest: number, { count, reason }: Seen): WhyNot | undefined {
  // What broke off may have been done already: only its continuation tells.
  if (head.begun) return undefined
  if (isOver(head, newest)) return 'newer'
  // Others may be in the trash still, or where the person may change them; the trash itself is on or off for all.
  return count < head.deeds && reason !== 'noTrash' ? undefined : reason
}

/** Why not all that an act has changed is kept. */
const whyIncomplete = (head: ActHead, limits: History['limits']): WhyNot => (head.deeds < limits.deeds ? 'lost' : 'tooMany')

/** Whether it was undone, and cannot be done again because of what was done since. */
const isOver = (head: ActHead, newest: number) => head.state === 'undone' && !mayRedo(head, newest)

/** The folders made on the way count only where there is nothing else. */
function mainOf(lines: readonly PresentLine[]): readonly PresentLine[] {
  const main = lines.filter(({ is }) => is.what !== 'folder')
  return main.length > 0 ? main : lines
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
