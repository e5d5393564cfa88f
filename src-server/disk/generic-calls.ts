// Calls of a disk, made of those that every driver has.
import { Readable } from 'node:stream'
import { Failure } from '../base/failure.ts'
import { isWithin, type Path, parentOf } from '../base/paths.ts'
import {
  type CountHow,
  type DiskDriver,
  type DriverFile,
  type Entry,
  FileShrunk,
  type FindHow,
  type FolderWatch,
  type Granted,
  type NameKind,
  type ReadRange,
  type WholeFile,
  type WholeHow,
} from './driver.ts'
import { FolderChanges } from './folder-changes.ts'

/** Bytes of one chunk; see ../../docs/performance.md. */
const chunkSize = 1 << 20

/** `onRead`: told how many bytes more were read. */
type ReadableHow = ReadRange & Readonly<{ onRead?: ((bytes: number) => void) | undefined }>

/** The bytes of an open file, read at explicit positions, so that it can be read more than once. */
export function readableOf(
  file: DriverFile,
  { start = 0, end = file.entry.size - 1, signal, onRead }: ReadableHow = {},
): Readable {
  const after = Math.min(end + 1, file.entry.size)
  let position = start
  const next = async () => {
    const buffer = Buffer.allocUnsafeSlow(Math.min(chunkSize, after - position))
    const length = await file.readInto(buffer, position)
    position += length
    onRead?.(length)
    return buffer.subarray(0, length)
  }
  return new Readable({
    highWaterMark: 1,
    ...(signal && { signal }),
    read() {
      if (position >= after) this.push(null)
      else
        next().then(
          (chunk) => this.push(chunk),
          (error: Error) => this.destroy(error),
        )
    },
  })
}

/** As `Disk.readWhole`, of an open file. */
export async function wholeOf(file: DriverFile, { longest }: WholeHow): Promise<WholeFile> {
  const { entry } = file
  return entry.size > longest ? { entry } : { entry, content: await contentOf(file) }
}

/** @returns undefined when the length has changed since the file was opened */
async function contentOf({ entry, readInto }: DriverFile): Promise<Uint8Array | undefined> {
  // One byte more than the file has: that it is missing says that the file has ended.
  const buffer = Buffer.allocUnsafeSlow(entry.size + 1)
  let length = 0
  try {
    while (length < buffer.length) length += await readInto(buffer.subarray(length), length)
  } catch (error) {
    if (!(error instanceof FileShrunk)) throw error
  }
  return length === entry.size ? buffer.subarray(0, length) : undefined
}

/** As `Disk.find`, folder by folder. */
export async function* findByListing(driver: DiskDriver, at: Granted, how: FindHow): AsyncGenerator<readonly Entry[]> {
  const folders: (readonly Entry[])[] = [await driver.list(at)]
  for (let entries = folders.pop(); entries; entries = folders.pop()) {
    const shown = entries.filter((entry) => isShown(at, entry) && entry.unreachable !== 'outside')
    const wanted = shown.filter((entry) => how.isWanted(entry.name, kindOf(entry)))
    if (wanted.length > 0) yield wanted
    for (const { path } of shown.filter(isEntered)) {
      how.signal.throwIfAborted()
      folders.push((await unlessUnreadable(driver.list({ ...at, path }))) ?? unread(how))
    }
  }
}

function unread({ onUnread }: FindHow): readonly Entry[] {
  onUnread?.()
  return []
}

/** As `Disk.countItems`. */
export async function countByListing(
  driver: DiskDriver,
  at: Granted,
  { names, most, onCounted, signal }: CountHow,
): Promise<void> {
  const folders = (await driver.list(at)).filter((entry) => names.includes(entry.name) && isShown(at, entry) && isEntered(entry))
  for (const { name, path } of folders) {
    signal.throwIfAborted()
    const listed = await unlessUnreadable(driver.list({ ...at, path }))
    const items = listed?.filter((entry) => isShown(at, entry)).length ?? 0
    if (listed) onCounted(name, { items: Math.min(items, most), hasMore: items > most })
  }
}

function isShown({ isBlocked }: Granted, { path, truePath }: Entry) {
  return !isBlocked(path) && (truePath === undefined || !isBlocked(truePath))
}

function isEntered({ isDir, isSymlink, unreachable }: Entry) {
  return isDir && !isSymlink && unreachable === undefined
}

function kindOf({ isDir, isSymlink, unreachable }: Entry): NameKind {
  if (isSymlink) return 'link'
  return isDir ? 'folder' : unreachable === 'special' ? 'special' : 'file'
}

/** Undefined for what is gone or may not be read. */
async function unlessUnreadable<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Failure && (error.code === 'notFound' || error.code === 'forbidden')) return undefined
    throw error
  }
}

/** As `Disk.isWithin`, by the paths: links at their ends are not followed. */
export async function isWithinByPath(driver: DiskDriver, at: Granted, folder: Granted): Promise<boolean> {
  const around = (await driver.stat(folder)).truePath ?? folder.path
  return isWithin(await nearestPath(driver, at), around)
}

async function nearestPath(driver: DiskDriver, at: Granted): Promise<Path> {
  try {
    return (await driver.stat(at)).truePath ?? at.path
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'notFound') || at.path === '/') throw error
    return nearestPath(driver, { ...at, path: parentOf(at.path) })
  }
}

/** Milliseconds between two listings of a watched folder. */
const usualPause = 5000

/** As `Disk.watch`, by comparing one listing with the next: changes are noticed late. */
export async function watchByListing(
  driver: DiskDriver,
  at: Granted,
  signal: AbortSignal,
  pause = usualPause,
): Promise<FolderWatch> {
  const versionsNow = async () => new Map((await driver.list(at)).map(({ name, version }) => [name, version]))
  const changes = new FolderChanges()
  let known = await versionsNow()
  let isAsking = false
  const look = async () => {
    if (isAsking) return
    isAsking = true
    try {
      const now = await versionsNow()
      for (const name of new Set([...known.keys(), ...now.keys()])) if (known.get(name) !== now.get(name)) changes.add(name)
      known = now
    } catch {
      close()
    } finally {
      isAsking = false
    }
  }
  const timer = setInterval(look, pause).unref()
  const close = () => {
    clearInterval(timer)
    signal.removeEventListener('abort', close)
    changes.end()
  }
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  return { folder: Symbol('a watched folder'), isComplete: false, next: () => changes.next(), close }
}
