// What is noted of an act before it is kept.
import type { ChosenEntry } from '../files/deeds.ts'
import { type ActHead, type Change, type Deed, type HistoryStore, withoutLast } from '../state/history-store.ts'

export type Noted<C = Change> = Readonly<{ chosen: ChosenEntry; change: C; isAgain: boolean }>
type NotMoved = Extract<Change, { what: 'notMoved' }>
export type Made = Exclude<Change, NotMoved>

/** Milliseconds in which notes of a job are gathered: small files are copied so fast that each would be a write of its own. */
const gatherTime = 5

/** A write of what was noted. `kept`: when it is done. */
export class Writing {
  readonly kept: Promise<void>
  readonly #isWanted = Promise.withResolvers<void>()

  /** @param inOrder does work when its turn has come */
  constructor(inOrder: (work: () => Promise<void>) => Promise<void>, write: () => Promise<void>) {
    this.kept = inOrder(() => this.#gather().then(write))
  }

  /** Somebody waits for it: it gathers no more. */
  hurry(): Promise<void> {
    this.#isWanted.resolve()
    return this.kept
  }

  async #gather(): Promise<void> {
    const timer = setTimeout(this.#isWanted.resolve, gatherTime)
    await this.#isWanted.promise
    clearTimeout(timer)
  }
}

/** A save that belongs to none that is kept has lost what it replaced. */
export function deedOf(change: Made): Deed {
  return change.what === 'savedAgain' ? { what: 'lost', at: change.at, why: 'forGood' } : change
}

/** Takes a move that was noted before it was made, and has failed, out of what is not kept yet. @returns false when it is not there */
export function takenOut(waiting: Noted[], change: NotMoved): boolean {
  const index = waiting.findLastIndex((one) => isMeant(one.change, change))
  const isLost = isLossAt(waiting[index - 1]?.change, change)
  if (index >= 0) waiting.splice(isLost ? index - 1 : index, isLost ? 2 : 1)
  return index >= 0
}

/** Takes it out of what is kept. @returns the act that had it, as it was */
export async function takeBack(store: HistoryStore, open: ActHead | undefined, change: NotMoved): Promise<ActHead | undefined> {
  if (!open) return undefined
  const lines = (await store.deeds(open.userId, [open.id])).get(open.id)
  const line = lines?.findLast(({ deed, is, isUndone }) => deed < open.deeds && !isUndone && isMeant(is, change))
  if (line?.is.what !== 'move') return undefined
  const is = { ...line.is, isNotMade: true }
  // Nor has it replaced what it was to replace.
  const before = lines?.find(({ deed, isUndone }) => deed === line.deed - 1 && !isUndone)
  const gone = before && isLossAt(before.is, change) ? [line, before] : [line]
  const isLast = line.deed === open.deeds - 1
  const marked = gone.map(({ chosen, deed }) => ({ deed, is, ...(!isLast && chosen !== undefined && { chosen }) }))
  await store.append(open, marked)
  // What is noted next takes their places.
  if (isLast) await store.setHead(gone.reduce(withoutLast, open), false)
  return open
}

const isLossAt = (is: Change | undefined, { at }: NotMoved) => is?.what === 'lost' && is.why === 'forGood' && is.at === at

function isMeant(is: Change, { at, from }: NotMoved): boolean {
  return is.what === 'move' && is.isMeant === true && is.isNotMade !== true && is.at === at && is.from === from
}
