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
import { childOf, nameOf, type Path, parentOf } from '../base/paths.ts'
import type { NameEncoding } from '../contract/jobs.ts'
import type { HiddenTree, OpenFile } from '../disk/disk.ts'
import type { FileAct } from '../events/events.ts'
import { traceOf } from './deeds.ts'
import { ExtractedEntries, named } from './extract-entries.ts'
import { ensureFolder } from './folders.ts'
import { freeNameFor, NameTaken, takingName, untilFree } from './free-name.ts'
import { notingAgain } from './replaced.ts'
import { existing, type Step } from './steps.ts'
import { entryAt, type FileContext } from './walk.ts'

/** Something that is about to get a name: which, and what identifies it. */
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

/**
 * Everything goes into a new folder with the name of the archive, unless it is in one entry already. A taken name gets a number. What
 * the archive says is checked before anything is written, and compared with its contents while it is.
 * @throws Failure('invalid' | 'unsupported' | 'tooLarge' | 'forbidden' | 'full' | 'conflict'): then nothing is left
 */
export async function extract(parts: ExtractParts, from: Path, folder: Path, how: ExtractHow): Promise<void> {
  const { context } = parts
  const act: ExtractAct = { kind: 'extract', path: from, to: folder, isDir: true }
  if (how.before && (await isGiven(context, how.before))) return noteBefore(parts, act, how.before.to)
  await archives.run(() => extractNow(parts, act, how), { signal: context.signal })
}

/** Each may hold a hundred megabytes. */
const archives = new Limiter({ inAll: 2 })

async function extractNow(parts: ExtractParts, begun: ExtractAct, how: ExtractHow): Promise<void> {
  const { context, operation, limits, ask } = parts
  const { path: from, to: folder } = begun
  let act = begun
  const tellingFailed = <T>(work: () => Promise<T>) => toldWhenFailed(parts, () => act, work)
  const { file, unpacker, survey } = await tellingFailed(async () => {
    const file = operation.own(await context.disk.open(authorize(context.principal, 'download', from), context.signal))
    const unpacker = await unpackerOf(archiveFile(context, file))
    const budget = new Budget(limits, file.entry.size)
    const survey = await surveyOf(unpacker, { budget, names: new ArchiveNames(how.names), signal: context.signal })
    const name = survey.top ?? withoutEnding(nameOf(from))
    act = { ...act, to: await named(name, freeAt(context, childOf(folder, name))) }
    return { file, unpacker, survey }
  })
  await ask(act)
  const tree = await tellingFailed(async () => {
    await assertSpace(context, folder, survey.bytes / (1 - limits.spare / 100))
    await ensureFolder(context, folder)
    return context.disk.openTree(authorize(context.principal, 'create', act.to), context.signal)
  })
  try {
    const top = survey.top === undefined ? undefined : nameOf(act.to)
    await tellingFailed(async () => {
      const into = top === undefined ? { disk: tree.disk, base: act.to } : { disk: tree.around, base: folder, top }
      const counts = { budget: new Budget(limits, file.entry.size), checked: survey }
      const writing = new ExtractedEntries({ context, ...into }, counts).write(unpacker, new ArchiveNames(how.names))
      const failed = await writing.then(
        () => undefined,
        (error: unknown) => ({ error }),
      )
      context.signal.throwIfAborted()
      // What seems to be wrong may come from that.
      if ((await existing(context, from)).version !== file.version)
        throw new Failure('conflict', 'the file changed while it was read', { cause: failed?.error })
      if (failed) throw failed.error
    })
    await give(parts, { act, tree, top, onGiving: how.onGiving })
  } finally {
    // What cannot be removed has no name that anybody sees: it changes nothing of what was done, nor why it was not.
    await tree.end().catch(() => {})
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

/** By the nearest folder that is there. */
async function assertSpace(context: FileContext, folder: Path, bytes: number): Promise<void> {
  const { disk, principal, signal } = context
  if (!(await entryAt(context, folder))) return assertSpace(context, parentOf(folder), bytes)
  const { total, free } = await disk.usage(authorize(principal, 'read', folder), signal)
  // Of some file systems nothing is known.
  if (total > 0 && bytes > free) throw new Failure('full', 'no space is left')
}

type Giving = Pick<ExtractHow, 'onGiving'> &
  Readonly<{
    /** With the name that was free when the entries were written: their rights were asked below it. */
    act: ExtractAct
    tree: HiddenTree
    top: string | undefined
  }>

async function give({ context, announce }: ExtractParts, { act, tree, top, onGiving }: Giving): Promise<void> {
  const { principal, signal } = context
  await untilFree(true, async () => {
    const to = await freeAt(context, act.to)
    if (to !== act.to && mayBlockBelow(principal, to)) throw new NameTaken(undefined)
    await announce({ ...act, to }, async (doing) => {
      signal.throwIfAborted()
      const giving = (identity: string) => onGiving({ to, identity })
      await takingName(doing, to, () => tree.give(top, authorize(principal, 'create', to), giving))
      await noteMade(doing, to)
    })
  })
}

async function noteMade(context: FileContext, path: Path): Promise<void> {
  const made = context.note && (await entryAt(context, path))
  if (made) context.note?.({ what: 'entry', at: path, isDir: made.isDir, trace: await traceOf(context, made) })
}

/** Whether what was about to get a name has it. Nothing tells it where the file system does not number its objects lastingly. */
async function isGiven({ principal, disk, signal }: FileContext, { to, identity }: GivenName): Promise<boolean> {
  if (identity === '') return false
  const found = await disk.identify(authorize(principal, 'read', to), signal).catch(() => '')
  return found === identity
}

/** Notes what a kill may have kept from being noted. */
async function noteBefore({ context, note }: ExtractParts, act: FileAct, to: Path): Promise<void> {
  await note({ ...act, to }, (doing = context) => noteMade(notingAgain(doing), to))
}
