// Archives of folders and of lists of entries.
import { authorize } from '../access/authorize.ts'
import { archiveFormat } from '../archives/formats.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { isWithin, nameOf, type Path, parentOf, partsOf, rootPath } from '../base/paths.ts'
import { eachYielding } from '../base/yield-to-event-loop.ts'
import type { Disk, Entry } from '../disk/disk.ts'
import { mapLimit } from '../disk/map-limit.ts'
import { type ArchiveSource, archiveEntries } from './archive-entries.ts'
import { LeftOut } from './left-out.ts'
import { refuseUnreachable } from './reading.ts'
import type { FileContext } from './walk.ts'

export type ArchiveAsked = Readonly<{
  /** What to pack: the content of one folder, or several entries. */
  paths: readonly Path[]
  /** The name of a format; zip without one. */
  format?: string | undefined
  /** The name of the principal's root, which has none for its user. */
  rootName?: string
  /** Called for what is left out because it cannot be read, with its path in the principal's scope. */
  report?(path: Path, reason: string): void
}>

/** An archive whose entries exist; nothing of them has been read. */
export type Archive = Readonly<{
  /** With its ending. */
  name: string
  mediaType: string
  /** Packs it; once. Ends in an error when a file changes while it is packed. */
  pack(): AsyncIterable<Uint8Array>
}>

/** The most entries of one list. */
const mostListed = 10_000
/** @throws Failure('invalid') for more entries than one list may hold */
export function checkCount({ length }: readonly unknown[]): void {
  if (length > mostListed)
    throw new Failure('invalid', 'an archive holds at most 10,000 chosen entries', { about: { field: 'files' } })
}

/** Entries that are looked up at a time. */
const atOnce = 8

/**
 * Finds everything that is asked for before anything is packed. Repeated entries and those inside another are packed once.
 * @throws Failure('forbidden' | 'notFound') when one of the paths is, Failure('invalid') for an unknown format or too many paths
 */
export async function prepareArchive(
  context: FileContext,
  operation: Operation,
  { paths, format: formatName, rootName = '', report = () => {} }: ArchiveAsked,
): Promise<Archive> {
  const format = archiveFormat(formatName)
  checkCount(paths)
  const entries = topmost(await findAll(context, [...new Set(paths)]))
  const folder = commonFolder(entries)
  const leftOut = new LeftOut(folder, report)
  const source = { entries, folder, leftOut }
  const pack = () => format.write(packedFrom(context, operation, source), operation.signal)
  return {
    name: archiveName(entries, folder === rootPath ? rootName : nameOf(folder)) + format.ending,
    mediaType: format.mediaType,
    pack,
  }
}

/** Within one batch, which keeps folders open: a path that is resolved from the root for each file takes several times as long. */
async function* packedFrom(context: FileContext, operation: Operation, source: ArchiveSource) {
  const opened = Promise.withResolvers<Disk>()
  const ended = Promise.withResolvers<void>()
  const batch = context.disk.batch(async (disk) => {
    opened.resolve(disk)
    await ended.promise
  })
  batch.catch(opened.reject)
  try {
    yield* archiveEntries({ ...context, disk: await opened.promise }, operation, source)
  } finally {
    ended.resolve()
    await batch
  }
}

/** All paths are authorized before the disk is touched. */
async function findAll(context: FileContext, paths: readonly Path[]): Promise<Entry[]> {
  const { principal, disk, signal } = context
  // Many rules take long for a long path.
  await eachYielding(paths, (path) => void authorize(principal, 'download', path), signal, 1)
  const found: Entry[] = []
  await disk.batch((batch) =>
    mapLimit(paths, atOnce, async (path, index) => {
      const entry = await batch.stat(authorize(principal, 'read', path), signal)
      refuseUnreachable(entry)
      found[index] = entry
    }),
  )
  return found
}

/** Without the entries that lie in another one. Sorted, so that what is below a folder follows it. */
function topmost(entries: readonly Entry[]): Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.path === rootPath ? '' : entry.path.replaceAll('/', '\0') }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  const kept: Entry[] = []
  for (const { entry } of keyed) {
    const last = kept.at(-1)
    if (!last || !isWithin(entry.path, last.path)) kept.push(entry)
  }
  return kept
}

/** The folder that the paths in the archive count from: the only entry itself when it is a folder. */
function commonFolder(entries: readonly Entry[]): Path {
  const [first, second] = entries
  if (!first) return rootPath
  if (!second) return first.isDir ? first.path : parentOf(first.path)
  let common = partsOf(parentOf(first.path))
  for (const { path } of entries) {
    const parts = partsOf(path)
    const differs = common.findIndex((part, index) => part !== parts[index])
    if (differs >= 0) common = common.slice(0, differs)
  }
  return `/${common.join('/')}` as Path
}

/** The name of the folder, or of the only entry; `_` stands before it when it holds only some of the folder. */
function archiveName(entries: readonly Entry[], folderName: string): string {
  const [only, ...others] = entries
  if (only && others.length === 0) return (only.path === rootPath ? folderName : nameOf(only.path)) || 'archive'
  return `_${folderName}`.replace(/^_$/, 'archive')
}
