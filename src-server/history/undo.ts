// Undoes an act, or does it again: all is compared with what the act left before anything is changed, and again with each change.
import { createHash } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import type { HowChanged } from '../contract/history.ts'
import type { OwnDeeds } from '../files/own-deeds.ts'
import { type ActHead, chosenIn, type Deed, type DeedLine, wasMade } from '../state/history-store.ts'
import type { History } from './history.ts'
import { SeenPaths } from './seen-paths.ts'
import { type PresentLine, partsOf, presentLines, type Unit, unitsToRedo, unitsToUndo } from './whole-folders.ts'
import { withoutRepeats } from './without-repeats.ts'

export type Direction = 'undo' | 'redo'

/** What was left as it is. `path`: of the served root. */
export type Left = Readonly<{ path: string; how: HowChanged }>

/** `isChanged`: whether anything was changed. */
export type Outcome = Readonly<{ head: ActHead; done: number; left: readonly Left[]; isChanged: boolean }>

type UndoParts = Readonly<{
  history: History
  deeds: OwnDeeds
  head: ActHead
  /** The number of the newest act of the person. */
  newest: number
  direction: Direction
  how: UndoHow
}>

export type UndoHow = Readonly<{
  /** What is not as it was left is left out; else nothing is changed then. */
  rest: boolean
  /** By a job: then it may take long. */
  job?: Readonly<{
    signal: AbortSignal
    /** Told how many changes are done. */
    report(progress: Readonly<{ done: number; total: number }>): void
  }>
}>

/** @throws Failure('conflict') when there are too many changes or its job is at work, Failure('full') when nothing was undone for lack of space */
export async function undoAct(asked: UndoParts): Promise<Outcome> {
  assertFits(asked, asked.head)
  return asked.history.withoutRetries(asked.head, () => undoAlone(asked))
}

async function undoAlone(asked: UndoParts): Promise<Outcome> {
  const { history, direction, how } = asked
  const prepared = await prepare(asked)
  // One that is refused stays as it is: its job may go on with it.
  if (isRefused(prepared, how)) return refusal(asked, prepared)
  if (direction === 'undo') await history.endJob(asked.head, how.job?.signal)
  const head = await ended(asked)
  if (head.deeds === asked.head.deeds && head.changedAt === asked.head.changedAt) return flipAll({ ...asked, head }, prepared)
  // What was added meanwhile counts.
  const parts = { ...asked, head }
  assertFits(parts, head)
  const now = await prepare(parts)
  return isRefused(now, how) ? refusal(parts, now) : flipAll(parts, now)
}

/** `counted`: how many of the units tell whether something can be done. */
type Prepared = Readonly<{ lines: readonly PresentLine[]; todo: readonly Unit[]; left: readonly Left[]; counted: number }>

/** Changes no files. @throws Failure('conflict') when changes of the act are not known any more */
async function prepare(parts: UndoParts): Promise<Prepared> {
  const { history, direction, head } = parts
  const noted = await notedOf(parts, head)
  if (!isComplete(noted, head)) return preparedLater(parts)
  const lines = presentLines(withoutRepeats(noted, (was) => history.presentIdentity(was)))
  const wanted = lines.filter(({ isUndone = false }) => isUndone === (direction === 'redo'))
  // The other way round: an entry goes before the folder that was made for it.
  const units = direction === 'redo' ? unitsToRedo(wanted) : unitsToUndo(lines, wanted.toReversed())
  const areFolders = lines.every(({ is }) => isAside(is))
  const { todo, left } = head.begun ? { todo: units, left: [] } : await compared(parts, units, areFolders)
  return { lines, todo, left, counted: (areFolders ? todo : todo.filter(isMain)).length }
}

async function notedOf({ history }: UndoParts, { userId, id }: ActHead): Promise<readonly DeedLine[]> {
  return (await history.deeds(userId, [id])).get(id) ?? []
}

/** Behind the last change there may be one that was taken back. */
const isComplete = (noted: readonly DeedLine[], { deeds }: ActHead) => noted.filter(({ deed }) => deed < deeds).length === deeds

/** Undone without the changes that a disk has lost, the act would look as if it was. @throws Failure('conflict') */
async function preparedLater(parts: UndoParts): Promise<Prepared> {
  const { history, head } = parts
  // What is noted from now on belongs to another act.
  await history.endActs(head.userId, head.id)
  const now = (await history.acts(head.userId)).find(({ id }) => id === head.id)
  // A change may have been taken back just now.
  if (now && isComplete(await notedOf(parts, now), now)) return prepare({ ...parts, head: now })
  const { begun: _, ...given } = now ?? head
  if (now) await history.setHead({ ...given, isTooLarge: true }, false)
  throw changesLost()
}

const changesLost = () => new Failure('conflict', 'not all that this has changed is known any more')

const isRefused = ({ left, counted }: Prepared, { rest }: UndoHow) => left.length > 0 && (!rest || left.length === counted)

function refusal({ head }: UndoParts, { left }: Prepared): Outcome {
  return { head, done: 0, left, isChanged: false }
}

/** @throws Failure('conflict') */
function assertFits({ history, how }: UndoParts, head: ActHead) {
  const most = how.job ? history.limits.deeds : history.limits.atOnce
  const isIncomplete = history.isIncomplete(head)
  if (isIncomplete && head.deeds < history.limits.deeds) throw changesLost()
  if (isIncomplete || head.deeds > most)
    throw new Failure('conflict', 'more than {{number}} changes cannot be undone at once', { about: { number: most } })
}

/** The act, to which what still goes on, such as a job, adds nothing any more. */
async function ended({ history, head }: UndoParts): Promise<ActHead> {
  await history.endActs(head.userId, head.id)
  return (await history.acts(head.userId)).find(({ id }) => id === head.id) ?? head
}

/**
 * What can be done, and what cannot, as far as that can be told before.
 * @param areFolders the act has made nothing but folders without content: these are what it is about
 */
async function compared(parts: UndoParts, units: readonly Unit[], areFolders: boolean): Promise<{ todo: Unit[]; left: Left[] }> {
  const { job } = parts.how
  const [todo, left] = [[] as Unit[], [] as Left[]]
  const difference = comparing(parts, areFolders)
  const waiting = units.toReversed()
  for (let unit = waiting.pop(); unit; unit = waiting.pop()) {
    job?.signal.throwIfAborted()
    if (isIntoTrash(unit)) {
      if (!(await parts.deeds.isWhole(unit.line.is, unit.below.map(deedOf)))) {
        waiting.push(...partsOf(unit).toReversed())
        continue
      }
      difference.pass(unit)
    } else {
      const how = await difference.of(unit)
      if (how && (isMain(unit) || areFolders)) left.push({ path: unit.line.is.at, how })
    }
    todo.push(unit)
  }
  return { todo, left }
}

/** Compares what is to be done, in its order, with what is there. */
function comparing({ deeds, how: { job } }: UndoParts, areFolders: boolean) {
  const seen = new SeenPaths()
  /** Items that are in the trash once what comes before is done. */
  const coming = new Set<string>()
  /** @returns whether something that is done before it is about the same paths */
  const pass = ({ line: { is }, below }: Unit): boolean => {
    const isRelated = seen.add(is)
    for (const one of below) seen.add(one.is)
    if ('was' in is && is.was !== undefined) coming.add(is.was)
    return isRelated
  }
  const of = async (unit: Unit): Promise<HowChanged | undefined> => {
    const { is } = unit.line
    const comesBefore = 'item' in is && coming.has(is.item ?? '')
    // What is done before it changes what there is at its paths.
    const isRelated = pass(unit)
    const how = isRelated
      ? deeds.whyNot(is, job !== undefined)
      : await deeds.differenceSince(is, { mayCross: job !== undefined, isMain: areFolders })
    return (how === 'purged' || how === 'restored') && comesBefore ? undefined : how
  }
  return { pass, of }
}

async function flipAll(parts: UndoParts, { lines, todo }: Prepared): Promise<Outcome> {
  const { history, deeds, direction, newest } = parts
  const { rest, job } = parts.how
  const continues = parts.head.begun !== undefined
  const turns = parts.head.turns + (continues ? 0 : 1)
  const begun: ActHead = { ...parts.head, begun: direction, isOpen: false, turns }
  await history.setHead(begun, true)
  if (continues) await deeds.compareTrash(lines.map(({ is }) => is))
  const areFolders = lines.every(({ is }) => isAside(is))
  const now = new Map(lines.map((line) => [line.deed, line]))
  const left: Left[] = []
  const total = todo.reduce((sum, { below }) => sum + 1 + below.length, 0)
  let [handled, done, hasChanged] = [0, 0, false]
  let full: Failure | undefined
  const waiting = todo.toReversed()
  for (let unit = waiting.pop(); unit; unit = waiting.pop()) {
    const { line, below } = unit
    const { deed, is } = line
    job?.signal.throwIfAborted()
    const isCrossing = job !== undefined && is.what === 'move' && is.isAcross
    // The clock of the system, which stamps files.
    const going = isCrossing && !is.isGoing ? { ...is, isGoing: true, goingAt: Date.now() } : undefined
    if (going) await history.setDeed(begun, { ...line, is: going })
    const flipHow = { item: itemId(begun, deed), continues, mayCross: job !== undefined, isMain: areFolders }
    const flipping = isIntoTrash(unit) ? deeds.flipWhole(is, below.map(deedOf), flipHow) : deeds.flip(is, flipHow)
    const flipped = await flipping.catch((error: unknown) => {
      full = asFull(error)
      return 'full' as const
    })
    if (typeof flipped === 'string' && isIntoTrash(unit)) {
      // Something in it has changed since all was compared, or is not theirs: what can be undone is undone.
      waiting.push(...partsOf(unit).toReversed())
      full = undefined
      continue
    }
    handled += 1 + below.length
    job?.report({ done: handled, total })
    if (typeof flipped === 'string') {
      // What is left of it halfway is gone on with when it is tried again, unless others have put it there or have changed it.
      const half = isCrossing && (flipped === 'failed' || flipped === 'full') ? await deeds.halfOf(is) : ''
      if (isCrossing) {
        const { half: _, ...way } = going ?? is
        await history.setDeed(begun, { ...line, is: { ...way, isGoing: half !== '', ...(half && { half }) } })
      }
      // A folder that holds something of others stays.
      if (flipped !== 'notEmpty' || areFolders) left.push({ path: is.at, how: flipped })
      // It has changed since all was compared.
      if (left.length > 0 && !rest) {
        const others = waiting.toReversed().filter(isMain)
        left.push(...others.map((other): Left => ({ path: other.line.is.at, how: full ? 'full' : 'failed' })))
        break
      }
      continue
    }
    const isUndone = direction === 'undo' && { isUndone: true }
    const turned: DeedLine = { deed, is: flipped, ...isUndone, ...chosenAt(flipped.at, line) }
    // What is below says nothing of it: that is one line, which is kept or not.
    await history.setDeed(begun, turned)
    hasChanged = true
    now.set(deed, turned)
    for (const one of below) now.set(one.deed, { deed: one.deed, is: one.is, ...isUndone })
    done += [line, ...below].filter((one) => areFolders || !isAside(one.is)).length
  }
  const { begun: _, newest: __, ...ended } = begun
  const state = stateOf([...now.values()].filter(wasMade), direction)
  const turned: ActHead = {
    ...ended,
    state,
    ...(state !== 'done' && { newest: direction === 'undo' ? newest : parts.head.newest }),
  }
  // Where nothing has changed it has not begun.
  const head = full && !hasChanged ? parts.head : turned
  await history.setHead(head, true)
  if (full && done === 0) throw full
  return { head, done, left, isChanged: hasChanged || left.length === 0 }
}

/** The entry that counts with a change stays, whichever path the change has by now. */
function chosenAt(at: string, line: DeedLine): Pick<DeedLine, 'chosen'> {
  const chosen = chosenIn(line)
  return chosen === undefined ? {} : { chosen: chosen === at ? '' : chosen }
}

const deedOf = ({ is }: DeedLine): Deed => is

/** Whether it is a folder that goes into the trash with what the act has made in it. */
const isIntoTrash = ({ line, below }: Unit): boolean => below.length > 0 && !line.isUndone

/** @throws any other error */
function asFull(error: unknown): Failure {
  if (error instanceof Failure && error.code === 'full') return error
  throw error
}

/** The folders above what an act made go with it, or stay. */
const isAside = ({ what }: Deed): boolean => what === 'folder'
const isMain = ({ line, below }: Unit): boolean => below.length > 0 || !isAside(line.is)

function stateOf(lines: readonly DeedLine[], direction: Direction): ActHead['state'] {
  // Of what was only meant nothing is there.
  if (lines.length === 0) return direction === 'undo' ? 'undone' : 'done'
  const main = lines.filter(({ is }) => !isAside(is))
  const counted = main.length > 0 ? main : lines
  const undone = counted.filter(({ isUndone }) => isUndone).length
  return undone === 0 ? 'done' : undone === counted.length ? 'undone' : 'partly'
}

/** The same when it is tried again, so that an item of the trash is found that a kill came between. Nobody else can guess it. */
function itemId({ id, turns }: ActHead, deed: number): string {
  return createHash('sha256').update(`${id} ${turns} ${deed}`).digest('hex').slice(0, 32)
}
