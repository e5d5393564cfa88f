// A disk in memory, without real files. test/server/disk-suite.ts checks that it behaves like a local one.
import { Failure } from '../../src-server/base/failure.ts'
import { childOf, isWithin, nameOf, type Path, parentOf, parsePath } from '../../src-server/base/paths.ts'
import { Disk } from '../../src-server/disk/disk.ts'
import * as disks from '../../src-server/disk/driver.ts'
import { DiskDriver, type Entry, type Granted, type RollbackCopy } from '../../src-server/disk/driver.ts'
import { MemoryPaths } from './memory-paths.ts'
import { childrenIn, entryOf, found, modeOf, type Thing, versionOf } from './memory-things.ts'
import { MemoryWatches } from './memory-watches.ts'
import { MemoryWrites } from './memory-writes.ts'
import type { Tree } from './tree.ts'

export class MemoryDisk extends Disk {
  constructor(tree: Tree = {}) {
    super(new MemoryDriver(tree))
  }

  // By the methods of this object, which tests replace.
  override async *listInParts(...[at, signal]: Parameters<Disk['listInParts']>) {
    yield await this.list(at, signal)
  }

  override async copyFile(...[from, to, how, signal]: Parameters<Disk['copyFile']>) {
    const file = await this.open(from, signal)
    return this.write(to, file.read(), how, signal)
  }
}

export class MemoryDriver extends DiskDriver {
  readonly #things = new Map<string, Thing>()
  readonly #writes = new MemoryWrites((...asked) => this.#commit(...asked))
  readonly #paths = new MemoryPaths(this.#things)
  readonly #watches = new MemoryWatches()
  readonly #old = new Map<string, Thing>()
  #lastId = 0

  constructor(tree: Tree) {
    super()
    this.#put('/' as Path, { kind: 'folder' })
    for (const [text, what] of Object.entries(tree)) this.#addTree(parsePath(text), text.endsWith('/') ? undefined : what)
  }

  override async stat({ path, isBlocked }: Granted): Promise<Entry> {
    const truePath = this.#paths.reach(path, isBlocked)
    return entryOf(path, truePath, found(this.#things.get(truePath)), this.#paths.follow(truePath, isBlocked))
  }

  override async list(at: Granted): Promise<Entry[]> {
    return childrenIn(this.#things, this.#folderAt(at)).map(([truePath, thing]) => {
      const asked = childOf(at.path, nameOf(truePath))
      return entryOf(asked, truePath, thing, this.#paths.follow(truePath, at.isBlocked))
    })
  }

  override async open({ path, isBlocked }: Granted): Promise<disks.DriverFile> {
    const truePath = this.#paths.reach(path, isBlocked)
    const led = this.#paths.target(truePath, isBlocked)
    const thing = found(led.thing)
    if (thing.kind !== 'file') throw new Failure('forbidden', 'not a regular file')
    const entry = entryOf(path, truePath, found(this.#things.get(truePath)), led)
    const readInto = async (buffer: Uint8Array, position: number) => {
      const part = thing.bytes.subarray(position, position + buffer.length)
      if (part.length === 0) throw new disks.FileShrunk()
      buffer.set(part)
      return part.length
    }
    return { entry, identity: `${thing.id}`, readInto, close: async () => {} }
  }

  override async isWithin(inner: Granted, outer: Granted): Promise<boolean> {
    const around = this.#paths.target(outer.path, outer.isBlocked)
    found(around.thing)
    return isWithin(this.#paths.target(inner.path, inner.isBlocked).path, around.path)
  }

  override async usage({ path, isBlocked }: Granted): Promise<{ total: number; free: number }> {
    found(this.#paths.target(path, isBlocked).thing)
    return { total: 2 ** 30, free: 2 ** 29 }
  }

  override async identify(at: Granted) {
    return this.#paths.identity(at)
  }

  override async hostPath(at: Granted) {
    return `/memory${this.#paths.existing(at)}`
  }

  override async watch(at: Granted, signal: AbortSignal): Promise<disks.FolderWatch> {
    return this.#watches.watch(this.#folderAt(at), signal)
  }

  override async beginWrite(at: Granted, how: disks.BeginHow): Promise<disks.DriverWrite> {
    this.#paths.checkParent(this.#paths.reach(at.path, at.isBlocked))
    how.check?.(await this.stat(at).catch(orMissing))
    this.#toWrite(at, how.forLater ? { replace: true } : how)
    return this.#writes.begin(at, how)
  }

  override async resumeWrite(at: Granted, how: disks.BeginHow & { name: string }): Promise<disks.DriverWrite> {
    return this.#writes.resume(at, how)
  }

  override async makeFolder(at: Granted, like?: Entry): Promise<void> {
    this.#put(this.#free(at), { kind: 'folder' }, like)
  }

  override async copyLink(source: Granted, target: Granted, { replace }: { replace: boolean }): Promise<void> {
    const truePath = this.#paths.reach(source.path, source.isBlocked)
    const link = found(this.#things.get(truePath))
    if (link.kind !== 'link') throw new Failure('invalid', 'not a link')
    const led = this.#paths.follow(truePath, source.isBlocked)
    const leaves = 'unreachable' in led && led.unreachable === 'outside'
    if (source.action === 'download' && leaves) throw new Failure('forbidden', 'the link leads out of your files')
    const goal = this.#paths.reach(target.path, target.isBlocked)
    if (replace && this.#things.get(goal)) this.#checkReplaceable(link, goal, replace)
    else this.#free(target)
    this.#put(goal, { kind: 'link', target: link.target })
  }

  override async keepRollback(at: Granted, { follows }: { follows: boolean }): Promise<RollbackCopy> {
    const { truePath, thing } = this.#oldAt(at, follows)
    if (found(thing).kind === 'folder') throw new Failure('conflict')
    const name = `old-${++this.#lastId}`
    this.#old.set(name, found(thing))
    return { name, follows, isCopy: false, entry: entryOf(at.path, truePath, found(thing), { path: truePath, thing }) }
  }

  override async rollBack(at: Granted, old: RollbackCopy): Promise<void> {
    this.#set(this.#oldAt(at, old.follows).truePath, found(this.#old.get(old.name)))
    this.#old.delete(old.name)
  }

  override async dropRollback(_at: Granted, old: RollbackCopy): Promise<void> {
    this.#old.delete(old.name)
  }

  override async remove({ path, isBlocked }: Granted, { ifVersion }: disks.RemoveHow): Promise<void> {
    if (path === '/') throw new Failure('forbidden')
    const truePath = this.#paths.reach(path, isBlocked)
    const thing = found(this.#things.get(truePath))
    if (ifVersion !== undefined && versionOf(thing) !== ifVersion) throw new Failure('changed')
    if (childrenIn(this.#things, truePath).length > 0) throw new Failure('conflict', 'the folder is not empty')
    this.#set(truePath, undefined)
  }

  override async move(source: Granted, target: Granted, how: disks.MoveHow): Promise<void> {
    if (source.path === '/' || target.path === '/') throw new Failure('forbidden')
    const [old, truePath] = [this.#paths.reach(source.path, source.isBlocked), this.#paths.reach(target.path, target.isBlocked)]
    const thing = found(this.#things.get(old))
    this.#paths.checkParent(truePath)
    if (old === truePath) return
    if (isWithin(truePath, old)) throw new Failure('invalid', 'a folder cannot be moved into itself')
    this.#checkReplaceable(thing, truePath, how.replace)
    await how.check?.({ from: old, to: truePath })
    for (const [path, moved] of [...this.#things]) {
      if (!isWithin(path as Path, old)) continue
      this.#set(path as Path, undefined)
      this.#set(`${truePath}${path.slice(old.length)}` as Path, moved)
    }
  }

  /** The true path of a folder. */
  #folderAt({ path, isBlocked }: Granted): Path {
    const { path: truePath, thing } = this.#paths.target(path, isBlocked)
    if (found(thing).kind !== 'folder') throw new Failure('invalid', 'not a folder')
    return truePath
  }

  /** The true path of what is to be written, and what is there. */
  #toWrite({ path, isBlocked }: Granted, { replace }: { replace: boolean }) {
    const truePath = this.#paths.reach(path, isBlocked)
    const isFollowed = replace && this.#things.get(truePath)?.kind === 'link'
    const target = isFollowed ? this.#paths.followToWrite(truePath, isBlocked).path : truePath
    this.#paths.checkParent(target)
    const there = this.#things.get(target)
    if (there && (!replace || there.kind === 'folder')) throw new Failure('conflict')
    return { truePath, target, there }
  }

  #commit(at: Granted, bytes: Uint8Array, how: disks.CommitHow): Entry {
    const { truePath, target, there } = this.#toWrite(at, how)
    if (how.ifVersion !== undefined && versionOf(there) !== how.ifVersion) throw new Failure('changed')
    const written = this.#put(target, { kind: 'file', bytes }, { ...how.like, ...modeOf(there) })
    return entryOf(at.path, truePath, this.#things.get(truePath) ?? written, { path: target, thing: written })
  }

  #checkReplaceable(thing: Thing, truePath: Path, replace: boolean) {
    const taken = this.#things.get(truePath)
    if (!taken) return
    const fits = (thing.kind === 'folder') === (taken.kind === 'folder') && childrenIn(this.#things, truePath).length === 0
    if (!replace || !fits) throw new Failure('conflict')
  }

  #oldAt({ path, isBlocked }: Granted, follows: boolean): { truePath: Path; thing: Thing | undefined } {
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

  #free({ path, isBlocked }: Granted): Path {
    const truePath = this.#paths.reach(path, isBlocked)
    this.#paths.checkParent(truePath)
    if (this.#things.has(truePath)) throw new Failure('conflict')
    return truePath
  }
}

function orMissing(error: unknown) {
  if (!(error instanceof Failure && error.code === 'notFound')) throw error
  return undefined
}
