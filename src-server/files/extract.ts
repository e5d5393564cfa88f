// Extracts an archive into a folder of the same person: into a hidden folder that gets its name at the end, so that refusal, cancel and
// kill leave nothing.
import { authorize, mayBlockBelow } from '../access/authorize.ts'
import type { ArchiveFile } from '../archives/archive-file.ts'
import { ArchiveNames } from '../archives/archive-names.ts'
import { type ArchiveLimits, Budget } from '../archives/budget.ts'
import { unpackerOf, withoutEnding } from '../archives/known-archives.ts'
import type { Unpacker } from '../archives/unpacked-entry.ts'
import { Failure } from '../base/failure.ts'
import { Limiter } from '../base/limiter.ts'
import type { Operation } from '../base/operation.ts'
import { childOf, nameOf, type Path, parentOf, rootPath } from '../base/paths.ts'
import type { NameEncoding } from '../contract/jobs.ts'
import type { HiddenTree, OpenFile } from '../disk/disk.ts'
import type { FileAct } from '../events/events.ts'
import { traceOf } from './deeds.ts'
import { assertMayName, ExtractedEntries, named } from './extract-entries.ts'
import { ExtractSpace } from './extract-space.ts'
import { ensureFolder } from './folders.ts'
import { freeNameFor, NameTaken, takingName, untilFree } from './free-name.ts'
import { notingAgain } from './replaced.ts'
import { whileReserved } from './room.ts'
import { existing, type Step } from './steps.ts'
import { entryAt, type FileContext } from './walk.ts'

/** What is about to get a name: which, and what identifies it, or the folder above it that gets its own name with it. */
type GivenName = Readonly<{ to: Path; identity: string }>

export type ExtractHow = Readonly<{
  /** What `onGiving` was told by work that broke off. */
  before?: GivenName | undefined
  /** What the names in the archive are: see `JobBody`. */
  names?: NameEncoding | undefined
  /** Told before what was extracted gets its name. */
  onGiving(given: GivenName): Promise<void>
}>

type ExtractAct = FileAct & Readonly<{ kind: 'extract'; to: Path }>

type ExtractParts = Readonly<{
  context: FileContext
  operation: Operation
  limits: ArchiveLimits
  /** Asks those who may refuse it, before it begins. @throws what they throw */
  ask(act: FileAct): Promise<void>
  tellFailed(act: FileAct, error: unknown): Promise<void>
  announce<T>(act: FileAct, work: (context: FileContext) => Promise<T>): Promise<T>
  /** Keeps what is changed with the act of the person. */
  note(act: FileAct, work: Step['run']): Promise<unknown>
}>

/** What is known of an archive that was looked through. */
type Survey = Readonly<{
  /** The only entry at the top, in which all others are. */
  top: string | undefined
  entries: number
  bytes: number
}>

/** What was extracted and has no name yet. */
type Extracted = Readonly<{
  /** With the name that was free when the entries were written: their rights were asked below it. */
  act: ExtractAct
  /** The name without a number, which counts from it when that one is taken meanwhile. */
  wanted: Path
  tree: HiddenTree
  /** The only entry of the tree that gets a name, with all above it that was missing; the tree itself without one. */
  top: string | undefined
  /** The outermost folder above the name that was missing, and is in the tree. */
  missing: Path | undefined
}>

/**
 * Everything goes into a new folder with the name of the archive, unless it is in one entry already. A taken name gets a number. What
 * the archive says is checked before anything is written, and compared with its contents while it is.
 * @throws Failure('invalid' | 'unsupported' | 'tooLarge' | 'forbidden' | 'full' | 'conflict'): then nothing is left
 */
export async function extract(parts: ExtractParts, from: Path, folder: Path, how: ExtractHow): Promise<void> {
  const { context, ask } = parts
  const { principal, signal } = context
  const begun: ExtractAct = { kind: 'extract', path: from, to: folder, isDir: true }
  if (how.before && (await noteExtracted(parts, from, how.before))) return
  const expected = await toldWhenFailed(
    parts,
    () => begun,
    async () => {
      authorize(principal, 'download', from)
      await existing(context, from)
      return { ...begun, to: await expectedName(context, from, folder) }
    },
  )
  // Before it has a place: those who are asked may take long.
  await ask(expected)
  const told: { act: ExtractAct } = { act: expected }
  const work = () => extractNow(parts, told, { ...how, folder })
  const slot = { key: principal.userId, signal }
  const extracted = await toldWhenFailed(
    parts,
    () => told.act,
    () => archives.run(work, slot),
  )
  try {
    await give(parts, extracted, how.onGiving)
  } finally {
    // What cannot be removed has no name that anybody sees: it changes nothing of what was done, nor why it was not.
    await extracted.tree.end().catch(() => {})
  }
}

/** Each may hold a hundred megabytes, and work for hours: nobody keeps others from it. */
const archives = new Limiter<number>({ inAll: 2, ofOne: 1 })

/** The name that it may get, by that of the archive alone. */
async function expectedName(context: FileContext, from: Path, folder: Path): Promise<Path> {
  try {
    return await freeAt(context, childOf(folder, withoutEnding(nameOf(from))))
  } catch {
    // It may get another one, which is asked about then.
    context.signal.throwIfAborted()
    return folder
  }
}

type NowHow = Pick<ExtractHow, 'names'> & Readonly<{ folder: Path }>

/** @param told gets the name as soon as it is known */
async function extractNow(parts: ExtractParts, told: { act: ExtractAct }, { names, folder }: NowHow): Promise<Extracted> {
  const { context, operation, limits } = parts
  const { principal, signal } = context
  const { path: from } = told.act
  const file = operation.own(await context.disk.open(authorize(principal, 'download', from), signal))
  const unpacker = await unpackerOf(archiveFile(context, file))
  const { size } = file.entry
  const survey = await surveyOf(unpacker, { budget: new Budget(limits, size), names: new ArchiveNames(names), signal })
  const name = survey.top ?? withoutEnding(nameOf(from))
  const wanted = childOf(folder, name)
  assertMayName(principal, wanted, name)
  const to = await named(name, freeAt(context, wanted))
  told.act = { ...told.act, to }
  const { holder, first } = await nearestTo(context, to)
  const missing = first === to ? undefined : first
  const assertSame = async () => {
    if ((await existing(context, from)).version !== file.version)
      throw new Failure('conflict', 'the file changed while it was read')
  }
  const space = new ExtractSpace({ context, folder: holder, spare: limits.spare, onAsked: assertSame }, survey.bytes)
  return space.during(async () => {
    authorize(principal, 'create', to)
    const tree = await context.disk.openTree(authorize(principal, 'create', first), signal)
    const top = survey.top === undefined ? undefined : nameOf(to)
    const into = top === undefined ? { base: to } : { base: folder, top }
    const disk = top === undefined && !missing ? tree.disk : tree.around
    const counts = { budget: new Budget(limits, size), checked: survey, space }
    const work = async () => {
      // They get their names with what is in them, so that none stays alone.
      if (missing) await ensureFolder({ ...context, disk, note: undefined }, top === undefined ? to : folder)
      await new ExtractedEntries({ context, disk, ...into }, counts).write(unpacker, new ArchiveNames(names))
    }
    try {
      await whileReserved(context, holder, { left: space.left, work: () => unlessChanged(work, assertSame, signal) })
      return { act: told.act, wanted, tree, top: missing ? nameOf(missing) : top, missing }
    } catch (error) {
      await tree.end().catch(() => {})
      throw error
    }
  })
}

/** What seems to be wrong may come from a change of what is read. @throws what `assertSame` throws before what the work does */
async function unlessChanged(work: () => Promise<void>, assertSame: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const failed = await work().then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  signal.throwIfAborted()
  await assertSame()
  if (failed) throw failed.error
}

/** The nearest folder above a path that is there, and the first name below it on the way to the path. */
async function nearestTo(context: FileContext, path: Path): Promise<{ holder: Path; first: Path }> {
  for (let first = path; ; first = parentOf(first)) {
    const holder = parentOf(first)
    const found = await entryAt(context, holder)
    if (found && !found.isDir) throw new Failure('conflict', 'a file is in the way')
    if (found || holder === rootPath) return { holder, first }
  }
}

async function toldWhenFailed<T>({ tellFailed }: ExtractParts, act: () => FileAct, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await tellFailed(act(), error)
    throw error
  }
}

function archiveFile({ signal }: FileContext, { entry, readInto }: OpenFile): ArchiveFile {
  return {
    size: entry.size,
    async read(buffer, position) {
      for (let filled = 0; filled < buffer.length; ) {
        signal.throwIfAborted()
        filled += await readInto(buffer.subarray(filled), position + filled)
      }
    },
  }
}

type SurveyHow = Readonly<{ budget: Budget; names: ArchiveNames; signal: AbortSignal }>

/** @throws what is wrong with the archive, and Failure('tooLarge') */
async function surveyOf(unpacker: Unpacker, { budget, names, signal }: SurveyHow): Promise<Survey> {
  const tops = new Set<string>()
  const written = { entries: 0, bytes: 0 }
  for await (const { parts, size } of unpacker.entries({ isWhole: false, names, onLeftOut: budget.addLeftOut })) {
    signal.throwIfAborted()
    budget.addEntry()
    budget.addBytes(size)
    written.entries++
    written.bytes += size
    if (tops.size < 2 && parts[0] !== undefined) tops.add(parts[0])
  }
  names.assertKnown()
  const [top] = tops
  return { top: tops.size === 1 ? top : undefined, ...written }
}

async function freeAt(context: FileContext, path: Path): Promise<Path> {
  return (await entryAt(context, path)) ? freeNameFor(context, path) : path
}

async function give(
  { context, announce }: ExtractParts,
  { act, wanted, tree, top, missing }: Extracted,
  onGiving: ExtractHow['onGiving'],
): Promise<void> {
  const { principal, signal } = context
  await untilFree(!missing, async () => {
    const isTaken = !missing && (await entryAt(context, act.to)) !== undefined
    const to = isTaken ? await freeNameFor(context, wanted) : act.to
    if (to !== act.to && mayBlockBelow(principal, to)) throw new NameTaken(undefined)
    await announce({ ...act, to }, async (doing) => {
      signal.throwIfAborted()
      const giving = (identity: string) => onGiving({ to, identity })
      const path = missing ?? to
      await takingName(doing, path, () => tree.give(top, authorize(principal, 'create', path), giving))
      await noteMade(doing, path)
    })
  })
}

async function noteMade(context: FileContext, path: Path): Promise<void> {
  const made = context.note && (await entryAt(context, path))
  if (made) context.note?.({ what: 'entry', at: path, isDir: made.isDir, trace: await traceOf(context, made) })
}

/**
 * What has got a name since it was about to: that itself, or a folder above it that was missing. Nothing tells it where the file system
 * does not number its objects lastingly.
 */
async function givenBefore({ principal, disk, signal }: FileContext, { to, identity }: GivenName): Promise<Path | undefined> {
  if (identity === '') return undefined
  for (let at = to; at !== rootPath; at = parentOf(at)) {
    const found = await disk.identify(authorize(principal, 'read', at), signal).catch(() => '')
    if (found === identity) return at
  }
  return undefined
}

/** Notes what has got its name before the work broke off. @returns whether something has */
export async function noteExtracted(
  { context, note }: Pick<ExtractParts, 'context' | 'note'>,
  from: Path,
  before: GivenName,
): Promise<boolean> {
  const made = await givenBefore(context, before)
  if (made === undefined) return false
  const act = { kind: 'extract', path: from, to: before.to, isDir: true } as const
  await note(act, (doing = context) => noteMade(notingAgain(doing), made))
  return true
}
