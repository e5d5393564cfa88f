// Writes the entries of an archive into a folder that is empty and nobody else's. The disk itself finds names that clash, in the way in
// which it takes names: nothing is replaced, so that a taken name is one of the archive's own. Links are made last, so that nothing can
// be written through one.
import { authorize, isBlocked } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { damaged, needsMemory, shownName } from '../archives/archive-file.ts'
import type { ArchiveNames } from '../archives/archive-names.ts'
import type { Budget } from '../archives/budget.ts'
import { checkLink, refusedName } from '../archives/entry-name.ts'
import type { UnpackedEntry, Unpacker } from '../archives/unpacked-entry.ts'
import { Failure } from '../base/failure.ts'
import { nameOf, type Path, parentOf, parsePath } from '../base/paths.ts'
import type { Disk, Entry } from '../disk/disk.ts'
import { TaskGroup } from '../disk/map-limit.ts'
import { folderMoved } from '../disk/place-locks.ts'
import { entriesAtOnce } from './copy.ts'
import type { ExtractSpace } from './extract-space.ts'
import { type Checked, counterOf, type FileContext } from './walk.ts'

/** Bytes of a file that is written beside others; a larger one is written alone. */
const smallFile = 1 << 20
/** Links of one archive, and characters of their texts, which are kept until the end. */
const [mostLinks, mostLinkText] = [100_000, 16 * 2 ** 20]
/** Folders that are known to be there, for each of which the disk was asked, or which were made. */
const mostKnown = 1000

type Into = Readonly<{
  context: FileContext
  /** Of the folder. */
  disk: Disk
  /** The path that the names of the archive count from. */
  base: Path
  /** The name that the only entry at the top gets, in which all others are. */
  top?: string | undefined
}>

type Counts = Readonly<{
  budget: Budget
  space: ExtractSpace
  /** What there is, for the progress. */
  checked: Checked
}>

type Link = Readonly<{ path: Path; name: string; text: string }>
type Writing = Readonly<{ disk: Disk; tasks: TaskGroup; repeats: boolean }>
type FileToWrite = Readonly<{ path: Path; replace: boolean; content: AsyncIterable<Uint8Array> }>

export class ExtractedEntries {
  readonly #into: Into
  readonly #budget: Budget
  readonly #space: ExtractSpace
  readonly #onDone: () => void
  /** Bytes that were told. */
  #told = 0
  readonly #known = new Set<Path>()
  /** By their paths, in the order of the archive. */
  readonly #links = new Map<Path, Link>()
  #linkText = 0
  /** Files that are being written. */
  readonly #writing = new Set<Path>()

  constructor(into: Into, { budget, space, checked }: Counts) {
    this.#into = into
    this.#budget = budget
    this.#space = space
    this.#onDone = counterOf(into.context, checked)
  }

  /** @throws Failure for the first entry that is not right, or may not be made */
  async write(unpacker: Unpacker, names: ArchiveNames): Promise<void> {
    try {
      await this.#into.disk.batch((disk) => this.#writeAll(disk, unpacker, names))
    } catch (error) {
      // It is all or nothing.
      this.#tell(-this.#told, nameOf(this.#into.base))
      throw error
    }
  }

  async #writeAll(disk: Disk, unpacker: Unpacker, names: ArchiveNames): Promise<void> {
    const tasks = new TaskGroup(entriesAtOnce)
    try {
      const { addLeftOut: onLeftOut, mostEntries } = this.#budget
      for await (const entry of unpacker.entries({ isWhole: true, names, onLeftOut, mostEntries })) {
        this.#into.context.signal.throwIfAborted()
        await this.#writeOne({ disk, tasks, repeats: unpacker.repeats === true }, entry)
      }
      await tasks.finish()
    } finally {
      await tasks.settle()
    }
    names.assertKnown()
    for (const link of this.#links.values()) await this.#makeLink(disk, link)
  }

  #tell(bytes: number, name: string): void {
    this.#told += bytes
    this.#into.context.transferred?.(bytes, name)
  }

  async #writeOne(writing: Writing, entry: UnpackedEntry): Promise<void> {
    const { disk, tasks } = writing
    const path = this.#pathOf(entry)
    this.#authorize(path, entry.name)
    await this.#ensure(writing, entry.kind === 'folder' ? path : parentOf(path), entry)
    if (entry.kind === 'folder') return this.#onDone()
    this.#budget.addEntry()
    if (entry.kind === 'link') return this.#keepLink(path, entry)
    if (entry.kind === 'hardLink') return this.#copyTarget(writing, path, entry)
    this.#budget.addBytes(entry.size)
    const replace = writing.repeats && (await named(entry.name, this.#isRepeated(writing, path)))
    if (entry.size > smallFile) {
      await tasks.finish()
      return this.#writeFile(disk, entry, { path, replace, content: piecesOf(entry) })
    }
    const content = await wholeOf(entry)
    this.#writing.add(path)
    await tasks.add(async () => {
      await this.#writeFile(disk, entry, { path, replace, content: inOnePiece(content) })
      this.#writing.delete(path)
    })
  }

  async #isRepeated({ disk, tasks }: Writing, path: Path): Promise<boolean> {
    if (this.#writing.has(path)) await tasks.finish()
    const { principal, signal } = this.#into.context
    const there = await disk.stat(authorize(principal, 'read', path), signal).catch(unlessMissing)
    return there !== undefined && !there.isDir
  }

  /** A hard link is a copy of the file that it names, which stands before it in the archive; of a link the same link. */
  async #copyTarget({ disk, tasks }: Writing, path: Path, entry: UnpackedEntry): Promise<void> {
    const { principal, signal } = this.#into.context
    const { parts, target = [], name } = entry
    // The only entry at the top gets another name, which must not stand for one that is not there.
    if (this.#into.top !== undefined && target[0] !== parts[0]) throw noTarget(name)
    const from = this.#pathOf({ parts: target, name })
    const link = this.#links.get(from)
    if (link) return this.#keepLink(path, { ...entry, linkText: link.text })
    await tasks.finish()
    const there = await disk.stat(authorize(principal, 'read', from), signal).catch(unlessMissing)
    if (!there || there.isDir || path === from) throw noTarget(entry.name)
    this.#budget.addBytes(there.size)
    await this.#space.add(there.size)
    await this.#space.take(there.size)
    const how = { replace: false, like: likeOf(path, { ...entry, kind: 'file', size: there.size }) }
    const copy = disk.copyFile(authorize(principal, 'download', from), this.#authorize(path, entry.name), how, signal)
    await named(entry.name, copy)
    this.#onDone()
  }

  #pathOf({ parts, name }: Pick<UnpackedEntry, 'parts' | 'name'>): Path {
    const { base, top } = this.#into
    try {
      return parsePath([base, top ?? parts[0], ...parts.slice(1)].join('/'))
    } catch (error) {
      throw error instanceof Failure ? error : refusedName(name, error)
    }
  }

  #authorize(path: Path, name: string) {
    const { principal } = this.#into.context
    assertMayName(principal, path, name)
    return authorize(principal, 'create', path)
  }

  async #writeFile(disk: Disk, entry: UnpackedEntry, { path, replace, content }: FileToWrite): Promise<void> {
    const { context } = this.#into
    const told = this.#toldOf(content, nameOf(path))
    const how = { replace, like: likeOf(path, entry) }
    await named(entry.name, disk.write(this.#authorize(path, entry.name), told, how, context.signal))
    this.#onDone()
  }

  async *#toldOf(content: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
    for await (const piece of content) {
      await this.#space.take(piece.length)
      yield piece
      this.#tell(piece.length, name)
    }
  }

  /** Makes a folder and those above it. @param of the entry that needs it */
  async #ensure({ disk, tasks }: Writing, folder: Path, of: UnpackedEntry): Promise<void> {
    const { base, context } = this.#into
    if (folder === base) return
    const missing: Path[] = []
    for (let at = folder; at !== base && !this.#known.has(at); at = parentOf(at)) {
      // A file that is being written has the name first.
      if (this.#writing.has(at)) await tasks.finish()
      if (await this.#isFolderAt(disk, at, of.name)) break
      missing.unshift(at)
    }
    for (const at of missing) {
      this.#budget.addEntry()
      const like = at === folder ? likeFolder(at, of) : undefined
      await named(of.name, disk.makeFolder(this.#authorize(at, of.name), like, context.signal))
      this.#remember(at)
    }
    if (missing.length === 0) this.#remember(folder)
    const like = missing.length === 0 && likeFolder(folder, of)
    // It may have been made because of something in it, which the archive named first.
    if (like) await named(of.name, disk.setFolderAttributes(this.#authorize(folder, of.name), like, context.signal))
    context.signal.throwIfAborted()
  }

  async #isFolderAt(disk: Disk, path: Path, name: string): Promise<boolean> {
    const { principal, signal } = this.#into.context
    this.#authorize(path, name)
    const there = await named(name, disk.stat(authorize(principal, 'read', path), signal).catch(unlessMissing))
    if (there && !there.isDir) throw taken(name)
    return there !== undefined
  }

  /** Those above it are not needed: where a folder is there, the disk is asked of no other. */
  #remember(folder: Path): void {
    this.#known.add(folder)
    if (this.#known.size <= mostKnown) return
    const [first] = this.#known
    if (first !== undefined) this.#known.delete(first)
  }

  #keepLink(path: Path, { parts, name, linkText: text }: UnpackedEntry): void {
    if (text === undefined) throw damaged(name)
    checkLink(text, { parts, name }, this.#into.top === undefined ? 0 : 1)
    this.#linkText += text.length
    if (this.#links.has(path)) throw taken(name)
    if (this.#links.size >= mostLinks) throw tooManyLinks()
    if (this.#linkText > mostLinkText) throw needsMemory()
    this.#links.set(path, { path, name, text })
  }

  async #makeLink(disk: Disk, { path, name, text }: Link): Promise<void> {
    const { signal } = this.#into.context
    await named(name, disk.makeLink(this.#authorize(path, name), text, signal))
    this.#onDone()
  }
}

/** Bits that nobody but the owner gets, and those that the owner needs. */
const [mostOfFiles, leastOfFiles, leastOfFolders] = [0o755, 0o600, 0o700]

/** Without its owner, and without setuid, setgid and sticky: programs would else get rights of others. */
function likeOf(path: Path, { kind, mode, modified, size }: Pick<UnpackedEntry, 'kind' | 'mode' | 'modified' | 'size'>): Entry {
  const isDir = kind === 'folder'
  const usual = isDir ? 0o750 : 0o640
  const bits = ((mode ?? usual) & mostOfFiles) | (isDir ? leastOfFolders : leastOfFiles)
  return { name: nameOf(path), path, isDir, isSymlink: false, size, modified, mode: bits, version: '' }
}

/** @returns undefined for an entry that is no folder, or does not say what its mode is */
function likeFolder(path: Path, { kind, mode, modified }: UnpackedEntry): Entry | undefined {
  return kind === 'folder' && mode !== undefined ? likeOf(path, { kind, mode, modified, size: 0 }) : undefined
}

/** @throws Failure('forbidden') for a path that rules hide. @param name as it stands in the archive */
export function assertMayName(principal: Principal, path: Path, name: string): void {
  if (isBlocked(principal, path))
    throw new Failure('forbidden', '{{name}} may not be made there', { about: { name: shownName(name) } })
}

const tooManyLinks = () => new Failure('tooLarge', 'the archive has more than {{number}} links', { about: { number: mostLinks } })

const noTarget = (name: string) =>
  new Failure('invalid', '{{name}} is a link that leads out of the archive', { about: { name: shownName(name) } })

const taken = (name: string, cause?: unknown) =>
  new Failure('invalid', '{{name}} stands in the archive twice', { about: { name: shownName(name) }, cause })

/** @throws the refusal of the disk as one of the archive, with the name of the entry */
export async function named<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Somebody else may have moved or removed the hidden folder.
    if (error.code === 'conflict' && error.template !== folderMoved().template) throw taken(name, error)
    // What the system refuses is refused for another reason than the name.
    if (error.code === 'forbidden' && error.cause === undefined) throw refusedName(name, error)
    throw error
  }
}

function unlessMissing(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === 'notFound')) throw error
}

async function wholeOf(entry: UnpackedEntry): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of piecesOf(entry)) pieces.push(piece)
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces)
}

function piecesOf({ content, name }: UnpackedEntry): AsyncIterable<Uint8Array> {
  if (!content) throw damaged(name)
  return content()
}

async function* inOnePiece(content: Uint8Array): AsyncGenerator<Uint8Array> {
  if (content.length > 0) yield content
}
