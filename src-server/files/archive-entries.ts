// The entries of an archive: a walk through what was asked for, with the content of small files read ahead.
import { authorize, type Capability } from '../access/authorize.ts'
import type { ArchiveEntry } from '../archives/archive.ts'
import { Failure } from '../base/failure.ts'
import { MemoryPool } from '../base/memory-pool.ts'
import type { Operation } from '../base/operation.ts'
import { type Path, parentOf } from '../base/paths.ts'
import type { Entry, OpenFile } from '../disk/disk.ts'
import type { LeftOut } from './left-out.ts'
import { readAhead } from './read-ahead.ts'
import { type FileContext, type Walked, walk } from './walk.ts'

export type ArchiveSource = Readonly<{
  /** None lies in another. */
  entries: readonly Entry[]
  /** The folder that the paths in the archive count from. */
  folder: Path
  leftOut: LeftOut
}>

type Packing = Readonly<{ context: FileContext; operation: Operation; leftOut: LeftOut }>

/** Links inside the scope are followed; deeper nesting of them is left out. */
const mostLinks = 8

/** All entries, parents first. What cannot be read is left out and named in a last entry. */
export async function* archiveEntries(
  context: FileContext,
  operation: Operation,
  { entries, leftOut }: ArchiveSource,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const packing = { context, operation, leftOut }
  const steps = stepsTo(packing, entries)
  let packed = 0
  const prepare = (step: Walked<'download'>) => prepared(packing, step)
  for await (const entry of readAhead(steps, prepare, context.signal)) {
    if (!entry || entry.path === '') continue
    leftOut.note(entry.path)
    yield entry
    operation.report({ done: ++packed })
  }
  const list = leftOut.entry(BigInt(Date.now()) * 1_000_000n)
  if (list) yield list
}

async function* stepsTo(packing: Packing, entries: readonly Entry[]): AsyncGenerator<Walked<'download'>> {
  for (const entry of entries) {
    yield { entry, capability: authorize(packing.context.principal, 'download', entry.path) }
    if (entry.isDir) yield* stepsBelow(packing, entry.path, entry.isSymlink ? [entry.path] : [])
  }
}

/** @param links the links to folders on the way here */
async function* stepsBelow(packing: Packing, folder: Path, links: readonly Path[]): AsyncGenerator<Walked<'download'>> {
  const { context, leftOut } = packing
  const onUnlisted = (path: Path) => leftOut.add(path, 'unreadable')
  const onGone = (path: Path) => leftOut.add(path, 'gone')
  const how = { action: 'download', order: 'parents first', hidden: 'skip', onUnlisted, onGone } as const
  for await (const step of walk(context, folder, how)) {
    const { path, unreachable, isDir, isSymlink } = step.entry
    if (unreachable) leftOut.add(path, unreachable)
    else if (!isDir || !isSymlink) yield step
    else if (links.length >= mostLinks) leftOut.add(path, 'nested')
    else if (await isCircle(context, [...links, path])) leftOut.add(path, 'circle')
    else {
      yield step
      yield* stepsBelow(packing, path, [...links, path])
    }
  }
}

/** Whether the last link leads to a folder around itself or around another of the links. */
async function isCircle({ principal, disk, signal }: FileContext, links: readonly Path[]): Promise<boolean> {
  const target = authorize(principal, 'read', links.at(-1) as Path)
  for (const link of links) {
    if (await disk.isWithin(authorize(principal, 'read', parentOf(link)), target, signal)) return true
  }
  return false
}

/** @returns a function that makes the entry when it is its turn; undefined is left out */
function prepared(packing: Packing, step: Walked<'download'>) {
  const { entry } = step
  const { context, leftOut } = packing
  const path = leftOut.relative(entry.path)
  if (entry.isDir) return { size: 0, take: async () => ({ ...factsOf(entry, path), isDir: true, size: 0 }) }
  const orLeftOut = async <T>(work: Promise<T>) => {
    try {
      return await work
    } catch (error) {
      context.signal.throwIfAborted()
      if (error instanceof Failure && error.code === 'changed') throw error
      leftOut.add(entry.path, reasonOf(error))
      return undefined
    }
  }
  if (entry.size > smallFile) return { size: 0, take: () => orLeftOut(largeEntry(packing, step, path)) }
  const reading = readSmallFile(context, step.capability)
  // It is awaited when it is its turn.
  reading.catch(() => {})
  const take = async () => {
    const read = await orLeftOut(reading)
    if (!read) return undefined
    const { content, release } = read
    context.transferred?.(content.length, entry.name)
    return { ...factsOf(read.entry, path), isDir: false, size: content.length, content, ...(release && { release }) }
  }
  return { size: entry.size, take, settled: reading }
}

async function largeEntry(
  { context, operation }: Packing,
  { capability, entry }: Walked<'download'>,
  path: string,
): Promise<ArchiveEntry> {
  const file = operation.own(await context.disk.open(capability, context.signal))
  const read = () => contentOf(file, operation, (bytes) => context.transferred?.(bytes, entry.name))
  return { ...factsOf(file.entry, path), isDir: false, size: file.entry.size, read, giveBack: giveBackChunk }
}

async function* contentOf(file: OpenFile, operation: Operation, onRead: (bytes: number) => void) {
  try {
    for await (const chunk of chunksOf(file, operation.signal)) {
      onRead(chunk.length)
      yield chunk
    }
    if (await hasGrown(file)) throw new Failure('changed', 'a file got longer while it was packed')
  } finally {
    await operation.release(file)
  }
}

/** An archive with the first part of a file that is being written would look whole. */
async function hasGrown({ readInto, entry }: OpenFile): Promise<boolean> {
  return readInto(Buffer.alloc(1), entry.size).then(
    () => true,
    () => false,
  )
}

function factsOf({ modified, mode }: Entry, path: string) {
  // Not setuid, setgid and sticky: whoever unpacks it as root would make programs that run with the rights of others.
  return { path, modified, mode: mode & 0o777 }
}

function reasonOf(error: unknown) {
  return error instanceof Failure && error.code === 'notFound' ? 'gone' : 'unreadable'
}

/** Files up to this size, in bytes, are read whole, so that a failure to read them leaves them out and does not end the archive. */
const smallFile = 1024 * 1024

/** Attempts for a file whose length changes while it is read. */
const mostTries = 3

type Read = Readonly<{ entry: Entry; content: Uint8Array; release?(): void }>

/** The whole content of a file. @throws Failure('changed') when its length changes each time it is read */
async function readSmallFile({ disk, signal }: FileContext, capability: Capability<'download'>): Promise<Read> {
  for (let tries = 0; tries < mostTries; tries++) {
    const { entry, content, release } = await disk.readWhole(capability, { longest: smallFile }, signal)
    if (content) return { entry, content, ...(release && { release }) }
  }
  throw new Failure('changed', 'a file changed while it was packed')
}

/** Bytes of one chunk; see ../../docs/performance.md. */
const chunkSize = 1 << 20

/** New memory for each chunk would have V8 collect several times a second, which delays everybody. */
const memory = new MemoryPool(chunkSize, 8)

/** The content of a file, read one chunk ahead. The memory of a chunk is used again after `giveBackChunk`. @throws FileShrunk */
async function* chunksOf(file: OpenFile, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  const { readInto, entry } = file
  const read = async (position: number) => {
    if (position >= entry.size) return undefined
    const buffer = memory.take(Math.min(chunkSize, entry.size - position))
    const wanted = buffer.subarray(0, Math.min(buffer.length, entry.size - position))
    return wanted.subarray(0, await readInto(wanted, position))
  }
  let position = 0
  for (let next = read(position); ; ) {
    const chunk = await next
    signal.throwIfAborted()
    if (!chunk) return
    position += chunk.length
    next = read(position)
    // It is awaited after this chunk, or not at all.
    next.catch(() => {})
    yield chunk
  }
}

/** @param chunk of `chunksOf`, that nobody uses any more */
function giveBackChunk(chunk: Uint8Array): void {
  memory.giveBack(new Uint8Array(chunk.buffer as ArrayBuffer))
}
