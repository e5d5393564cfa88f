// A disk in memory, without real files. test/server/disk-suite.ts checks that it behaves like LocalDisk.
import { Readable } from 'node:stream'
import { Capability } from '../../src-server/access/authorize.ts'
import { Failure } from '../../src-server/base/failure.ts'
import { childOf, isWithin, nameOf, type Path, parentOf, parsePath } from '../../src-server/base/paths.ts'
import { BodyReader } from '../../src-server/disk/body-reader.ts'
import type * as disks from '../../src-server/disk/disk.ts'
import type { Disk, Entry, OldFile, OpenFile } from '../../src-server/disk/disk.ts'
import { childrenIn, countThings } from './memory-counts.ts'
import { type IsBlocked, MemoryPaths } from './memory-paths.ts'
import { chunksOf, entryOf, found, modeOf, type Thing, versionOf } from './memory-things.ts'
import { MemoryWatches } from './memory-watches.ts'
import { MemoryWrites } from './memory-writes.ts'
import type { Tree } from './tree.ts'

export class MemoryDisk implements Disk {
  readonly #things = new Map<string, Thing>()
  readonly #writes = new MemoryWrites((...asked) => this.write(...asked))
  readonly #paths = new MemoryPaths(this.#things)
  readonly #watches = new MemoryWatches()
  readonly #old = new Map<string, Thing>()
  #lastId = 0

  constructor(tree: Tree = {}) {
    this.#put('/' as Path, { kind: 'folder' })
    for (const [text, what] of Object.entries(tree)) this.#addTree(parsePath(text), text.endsWith('/') ? undefined : what)
  }

  async stat(at: Capability<'see'>, signal?: AbortSignal): Promise<Entry> {
    signal?.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'see')
    const truePath = this.#paths.reach(path, isBlocked)
    return entryOf(path, truePath, found(this.#things.get(truePath)), this.#paths.follow(truePath, isBlocked))
  }

  async list(at: Capability<'see'>, signal?: AbortSignal): Promise<Entry[]> {
    signal?.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'see')
    const folder = this.#paths.target(path, isBlocked)
    if (found(folder.thing).kind !== 'folder') throw new Failure('invalid', 'not a folder')
    return childrenIn(this.#things, folder.path).map(([truePath, thing]) => {
      const asked = childOf(path, nameOf(truePath))
      return entryOf(asked, truePath, thing, this.#paths.follow(truePath, isBlocked))
    })
  }

  async *listInParts(at: Capability<'see'>, signal?: AbortSignal): AsyncGenerator<Entry[], void, undefined> {
    yield await this.list(at, signal)
  }

  async *find(at: Capability<'see'>, { isWanted, signal }: Parameters<Disk['find']>[1]): AsyncGenerator<readonly Entry[]> {
    signal.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'see')
    const start = this.#paths.target(path, isBlocked)
    if (found(start.thing).kind !== 'folder') throw new Failure('invalid', 'not a folder')
    const left = [{ asked: path, truePath: start.path }]
    for (let folder = left.pop(); folder; folder = left.pop()) {
      signal.throwIfAborted()
      for (const [truePath, thing] of childrenIn(this.#things, folder.truePath)) {
        const asked = childOf(folder.asked, nameOf(truePath))
        if (isBlocked(asked) || isBlocked(truePath)) continue
        if (thing.kind === 'folder') left.push({ asked, truePath })
        const entry = entryOf(asked, truePath, thing, this.#paths.follow(truePath, isBlocked))
        if (isWanted(nameOf(truePath), thing.kind) && entry.unreachable !== 'outside') yield [entry]
      }
    }
  }

  async countItems(at: Capability<'see'>, how: Parameters<Disk['countItems']>[1]): Promise<void> {
    how.signal.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'see')
    const { path: truePath, thing } = this.#paths.target(path, isBlocked)
    if (found(thing).kind !== 'folder') throw new Failure('invalid', 'not a folder')
    countThings(how, { path, truePath, isBlocked, things: this.#things })
  }

  async open(at: Capability<'download' | 'rename'>, signal?: AbortSignal): Promise<OpenFile> {
    signal?.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'download', 'rename')
    const truePath = this.#paths.reach(path, isBlocked)
    const led = this.#paths.target(truePath, isBlocked)
    const thing = found(led.thing)
    if (thing.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
    const entry = entryOf(path, truePath, found(this.#things.get(truePath)), led)
    const read = ({ start = 0, end = entry.size - 1, signal }: disks.ReadRange = {}) =>
      Readable.from(chunksOf(thing.bytes.subarray(start, end + 1)), { objectMode: false, ...(signal && { signal }) })
    return { entry, version: entry.version, identity: `${thing.id}`, read, close: async () => {} }
  }

  readWhole: Disk['readWhole'] = async (at, { longest }, signal) => {
    const { entry, read } = await this.open(at, signal)
    return entry.size > longest ? { entry } : { entry, content: Buffer.concat(await Array.fromAsync(read())) }
  }

  async isWithin(at: Capability<'see'>, folder: Capability<'see'>): Promise<boolean> {
    const [inner, outer] = [Capability.check(at, 'see'), Capability.check(folder, 'see')]
    const around = this.#paths.target(outer.path, outer.isBlocked)
    found(around.thing)
    return isWithin(this.#paths.target(inner.path, inner.isBlocked).path, around.path)
  }

  async usage(at: Capability<'see'>): Promise<{ total: number; free: number }> {
    const { path, isBlocked } = Capability.check(at, 'see')
    found(this.#paths.target(path, isBlocked).thing)
    return { total: 2 ** 30, free: 2 ** 29 }
  }

  identify: Disk['identify'] = async (at) => this.#paths.identity(Capability.check(at, 'see'))
  hostPath: Disk['hostPath'] = async (at) => `/memory${this.#paths.existing(Capability.check(at, 'see', 'execute'))}`

  async watch(at: Capability<'see'>, signal: AbortSignal): Promise<disks.FolderWatch> {
    const { path, isBlocked } = Capability.check(at, 'see')
    const { path: folder, thing } = this.#paths.target(path, isBlocked)
    if (found(thing).kind !== 'folder') throw new Failure('invalid', 'not a folder')
    return this.#watches.watch(folder, signal)
  }

  copyFile: Disk['copyFile'] = async (from, to, how, signal) => {
    const file = await this.open(from, signal)
    return file.entry.size > 1 << 20 ? undefined : this.write(to, file.read(), how, signal)
  }

  async write(...[at, body, how, signal]: Parameters<Disk['write']>): Promise<Entry> {
    signal?.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'create', 'modify', 'rename')
    const truePath = this.#paths.reach(path, isBlocked)
    const here = this.#things.get(truePath)
    const target =
      how.replace && here?.kind === 'link' ? this.#paths.followToWrite(truePath, isBlocked) : { path: truePath, thing: here }
    this.#paths.checkParent(target.path)
    const check = () => {
      const there = this.#things.get(target.path)
      if (there && (!how.replace || there.kind === 'folder')) throw new Failure('conflict')
      return there
    }
    check()
    const chunks: Uint8Array[] = []
    const reader = new BodyReader()
    signal?.addEventListener('abort', () => reader.interrupt(signal.reason))
    await reader.each(body, async (chunk) => void chunks.push(chunk.slice()))
    const old = check()
    if (how.ifVersion !== undefined && versionOf(old) !== how.ifVersion) throw new Failure('changed')
    this.#paths.checkParent(target.path)
    const written = this.#put(target.path, { kind: 'file', bytes: Buffer.concat(chunks) }, { ...how.like, ...modeOf(old) })
    return entryOf(path, truePath, this.#things.get(truePath) ?? written, { path: target.path, thing: written })
  }

  async beginWrite(
    at: Capability<'create' | 'modify' | 'rename'>,
    how: disks.BeginHow,
    signal?: AbortSignal,
  ): Promise<disks.PendingWrite> {
    signal?.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'create', 'modify', 'rename')
    const truePath = this.#paths.reach(path, isBlocked)
    this.#paths.checkParent(truePath)
    const there = this.#things.get(truePath)
    if (there && (!how.replace || there.kind === 'folder')) throw new Failure('conflict')
    return this.#writes.begin(at, how, signal)
  }

  async resumeWrite(
    at: Capability<'create' | 'modify' | 'rename'>,
    how: disks.BeginHow & { name: string },
    signal?: AbortSignal,
  ): Promise<disks.PendingWrite> {
    return this.#writes.resume(at, how, signal)
  }

  async makeFolder(at: Capability<'create' | 'rename'>, like?: Entry, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'create', 'rename')
    this.#put(this.#free(path, isBlocked), { kind: 'folder' }, like)
  }

  async copyLink(
    from: Capability<'download' | 'rename'>,
    to: Capability<'create' | 'rename'>,
    signal?: AbortSignal,
    { replace }: { replace: boolean } = { replace: false },
  ): Promise<void> {
    signal?.throwIfAborted()
    const source = Capability.check(from, 'download', 'rename')
    const target = Capability.check(to, 'create', 'rename')
    const truePath = this.#paths.reach(source.path, source.isBlocked)
    const link = found(this.#things.get(truePath))
    if (link.kind !== 'link') throw new Failure('invalid', 'not a link')
    const led = this.#paths.follow(truePath, source.isBlocked)
    const leaves = 'unreachable' in led && led.unreachable === 'outside'
    if (source.need === 'download' && leaves) throw new Failure('forbidden', 'the link leads out of your files')
    const goal = this.#paths.reach(target.path, target.isBlocked)
    if (replace && this.#things.get(goal)) this.#checkReplaceable(link, goal, replace)
    else this.#free(target.path, target.isBlocked)
    this.#put(goal, { kind: 'link', target: link.target })
  }

  async keepOld(at: Capability<'rename'>, { follows }: { follows: boolean }, signal?: AbortSignal): Promise<OldFile> {
    signal?.throwIfAborted()
    const { path } = Capability.check(at, 'rename')
    const { truePath, thing } = this.#oldAt(at, follows)
    if (found(thing).kind === 'folder') throw new Failure('conflict')
    const name = `old-${++this.#lastId}`
    this.#old.set(name, found(thing))
    return { name, follows, isCopy: false, entry: entryOf(path, truePath, found(thing), { path: truePath, thing }) }
  }

  async putBackOld(at: Capability<'rename'>, old: OldFile): Promise<void> {
    this.#set(this.#oldAt(at, old.follows).truePath, found(this.#old.get(old.name)))
    this.#old.delete(old.name)
  }

  async dropOld(at: Capability<'rename'>, old: OldFile): Promise<void> {
    Capability.check(at, 'rename')
    this.#old.delete(old.name)
  }

  async remove(at: Capability<'delete' | 'rename' | 'modify'>, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const { path, isBlocked } = Capability.check(at, 'delete', 'rename', 'modify')
    if (path === '/') throw new Failure('forbidden')
    const truePath = this.#paths.reach(path, isBlocked)
    found(this.#things.get(truePath))
    if (childrenIn(this.#things, truePath).length > 0) throw new Failure('conflict', 'the folder is not empty')
    this.#set(truePath, undefined)
  }

  async move(
    from: Capability<'rename'>,
    to: Capability<'rename' | 'create' | 'modify'>,
    how: { replace: boolean },
    signal?: AbortSignal,
  ): Promise<void> {
    signal?.throwIfAborted()
    const source = Capability.check(from, 'rename')
    const target = Capability.check(to, 'rename', 'create', 'modify')
    if (source.path === '/' || target.path === '/') throw new Failure('forbidden')
    const [old, truePath] = [this.#paths.reach(source.path, source.isBlocked), this.#paths.reach(target.path, target.isBlocked)]
    const thing = found(this.#things.get(old))
    this.#paths.checkParent(truePath)
    if (old === truePath) return
    if (isWithin(truePath, old)) throw new Failure('invalid', 'a folder cannot be moved into itself')
    this.#checkReplaceable(thing, truePath, how.replace)
    for (const [path, moved] of [...this.#things]) {
      if (!isWithin(path as Path, old)) continue
      this.#set(path as Path, undefined)
      this.#set(`${truePath}${path.slice(old.length)}` as Path, moved)
    }
  }

  batch<T>(work: (disk: Disk) => Promise<T>): Promise<T> {
    return work(this)
  }

  #checkReplaceable(thing: Thing, truePath: Path, replace: boolean) {
    const taken = this.#things.get(truePath)
    if (!taken) return
    const fits = (thing.kind === 'folder') === (taken.kind === 'folder') && childrenIn(this.#things, truePath).length === 0
    if (!replace || !fits) throw new Failure('conflict')
  }

  #oldAt(at: Capability<'rename'>, follows: boolean): { truePath: Path; thing: Thing | undefined } {
    const { path, isBlocked } = Capability.check(at, 'rename')
    const truePath = this.#paths.reach(path, isBlocked)
    if (!follows || this.#things.get(truePath)?.kind !== 'link') return { truePath, thing: this.#things.get(truePath) }
    const led = this.#paths.followToWrite(truePath, isBlocked)
    return { truePath: led.path, thing: led.thing }
  }

  #addTree(path: Path, what: Tree[string] | undefined) {
    if (path !== '/' && !this.#things.has(parentOf(path))) this.#addTree(parentOf(path), undefined)
    if (what === undefined) this.#put(path, { kind: 'folder' })
    else if (typeof what === 'string' || what instanceof Uint8Array) this.#put(path, { kind: 'file', bytes: Buffer.from(what) })
    else this.#put(path, { kind: 'link', target: what.link })
  }

  #put(
    path: Path,
    what: { kind: 'folder' } | { kind: 'file'; bytes: Uint8Array } | { kind: 'link'; target: string },
    like?: { mode?: number; modified?: bigint },
  ): Thing {
    const mode = what.kind === 'folder' ? 0o40750 : what.kind === 'file' ? 0o100640 : 0o120777
    const kept = like?.mode === undefined ? mode : (mode & 0o170000) | (like.mode & 0o777)
    const thing: Thing = { ...what, id: ++this.#lastId, modified: like?.modified ?? BigInt(Date.now()) * 1_000_000n, mode: kept }
    this.#set(path, thing)
    return thing
  }

  #set(path: Path, thing: Thing | undefined) {
    if (thing) this.#things.set(path, thing)
    else this.#things.delete(path)
    this.#watches.tell(path, thing !== undefined)
  }

  #free(path: Path, isBlocked: IsBlocked): Path {
    const truePath = this.#paths.reach(path, isBlocked)
    this.#paths.checkParent(truePath)
    if (this.#things.has(truePath)) throw new Failure('conflict')
    return truePath
  }
}
