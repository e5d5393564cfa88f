// A disk with simulated failures, and with simulated power cuts that lose everything that was not synced.
import * as fs from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type DiskSystem, diskSystem, type SystemPath } from '../../src-server/disk/system.ts'

/**
 * What survives a power cut without a sync. 'nothing': neither content nor names. 'names': all names but no content, as when a
 * file system writes its journal first. A server must be correct with both.
 */
export type Survives = 'nothing' | 'names'

/** Synced names in a folder, and the identities of the files that they name. */
type Names = Map<string, string>

/** Opens a handle to a path without opening the file itself. */
const O_PATH = 0o10000000

/** Works on a real folder, whose content at the start counts as synced. Calls are numbered from 0. */
export class FaultyDisk {
  /** All calls so far, such as `sync a.txt`. Paths are relative to the folder; '.' is the folder itself. */
  readonly calls: string[] = []
  readonly system: DiskSystem
  readonly #folder: string
  readonly #content = new Map<string, Buffer>()
  readonly #names = new Map<string, Names>()
  readonly #links = new Map<string, string>()
  /** All files ever seen are kept open: otherwise a new file could get the inode number of an old one. */
  readonly #kept = new Map<string, number>()
  readonly #paths = new Map<number, string>()
  #failure: { step: number; code: string; forGood: boolean } | undefined

  constructor(folder: string) {
    this.#folder = fs.realpathSync(folder)
    this.#keep(this.#folder)
    this.#syncTree(this.#folder)
    this.system = this.#makeSystem()
  }

  /** Makes one call fail with an errno such as ENOSPC, without effect. */
  failAt(step: number, code: string): void {
    this.#failure = { step, code, forGood: false }
  }

  /** Simulates a power cut: this call and all later ones fail without effect. */
  crashAt(step: number): void {
    this.#failure = { step, code: 'EIO', forGood: true }
  }

  /** Closes the handles that were kept open. */
  close(): void {
    for (const fd of this.#kept.values()) fs.closeSync(fd)
    this.#kept.clear()
  }

  /** Writes the state after a power cut at this moment into a new, empty folder. */
  afterPowerCut(into: string, survives: Survives): void {
    this.#rebuild(identityAt(this.#folder), into, survives)
  }

  #rebuild(folder: string, into: string, survives: Survives) {
    fs.mkdirSync(into, { recursive: true })
    for (const [name, thing] of survives === 'names' ? this.#namesNow(folder) : (this.#names.get(folder) ?? [])) {
      const path = join(into, name)
      const link = this.#links.get(thing)
      if (this.#names.has(thing)) this.#rebuild(thing, path, survives)
      else if (link !== undefined) fs.symlinkSync(link, path)
      else fs.writeFileSync(path, this.#content.get(thing) ?? '')
    }
  }

  #namesNow(folder: string): Names {
    const kept = this.#kept.get(folder)
    return kept === undefined ? new Map() : this.#appearance(`/proc/self/fd/${kept}`)
  }

  #syncTree(folder: string) {
    const names = this.#appearance(folder)
    this.#names.set(identityAt(folder), names)
    for (const name of names.keys()) {
      const path = join(folder, name)
      const stats = fs.lstatSync(path)
      if (stats.isDirectory()) this.#syncTree(path)
      if (stats.isFile()) this.#content.set(identityAt(path), fs.readFileSync(path))
    }
  }

  /** The names in a folder now. Their files are kept open from then on. */
  #appearance(folder: string): Names {
    return new Map(fs.readdirSync(folder).map((name) => [name, this.#keep(join(folder, name))]))
  }

  /** Keeps a file open; a link itself and not its target. */
  #keep(path: string): string {
    const fd = fs.openSync(path, O_PATH | fs.constants.O_NOFOLLOW)
    const stats = fs.fstatSync(fd, { bigint: true })
    if (stats.isSymbolicLink()) this.#links.set(identityOf(stats), fs.readlinkSync(path))
    return this.#keepOpen(fd, stats)
  }

  #keepOpen(fd: number, stats: fs.BigIntStats): string {
    const identity = identityOf(stats)
    if (this.#kept.has(identity)) fs.closeSync(fd)
    else this.#kept.set(identity, fd)
    if (stats.isDirectory() && !this.#names.has(identity)) this.#names.set(identity, new Map())
    return identity
  }

  #noteSynced(fd: number) {
    const stats = fs.fstatSync(fd, { bigint: true })
    if (stats.isDirectory()) this.#names.set(identityOf(stats), this.#appearance(`/proc/self/fd/${fd}`))
    else this.#content.set(identityOf(stats), fs.readFileSync(`/proc/self/fd/${fd}`))
  }

  #makeSystem(): DiskSystem {
    const at = (path: SystemPath) => this.#shown(path)
    const of = (fd: number) => this.#paths.get(fd) ?? `fd ${fd}`
    const step = this.#step.bind(this)
    return {
      open: (path, flags, mode) =>
        step(`open ${at(path)}`, async () => {
          const fd = await diskSystem.open(path, flags, mode)
          this.#paths.set(fd, this.#shown(`/proc/self/fd/${fd}`))
          this.#keepOpen(fs.openSync(`/proc/self/fd/${fd}`, O_PATH), fs.fstatSync(fd, { bigint: true }))
          return fd
        }),
      close: (fd) => this.#close(fd),
      write: (fd, bytes) => step(`write ${of(fd)}`, () => diskSystem.write(fd, bytes)),
      writev: (fd, chunks, position) => step(`write ${of(fd)}`, () => diskSystem.writev(fd, chunks, position)),
      truncate: (fd, bytes) => step(`truncate ${of(fd)}`, () => diskSystem.truncate(fd, bytes)),
      sync: (fd) =>
        step(`sync ${of(fd)}`, async () => {
          await diskSystem.sync(fd)
          this.#noteSynced(fd)
        }),
      syncData: (fd) =>
        step(`syncData ${of(fd)}`, async () => {
          await diskSystem.syncData(fd)
          this.#noteSynced(fd)
        }),
      link: (from, to) => step(`link ${at(from)} ${at(to)}`, () => diskSystem.link(from, to)),
      rename: (from, to) => step(`rename ${at(from)} ${at(to)}`, () => diskSystem.rename(from, to)),
      unlink: (path) => step(`unlink ${at(path)}`, () => diskSystem.unlink(path)),
      mkdir: (path, mode) =>
        step(`mkdir ${at(path)}`, async () => {
          await diskSystem.mkdir(path, mode)
          this.#keep(String(path))
        }),
      rmdir: (path) => step(`rmdir ${at(path)}`, () => diskSystem.rmdir(path)),
      symlink: (target, path) =>
        step(`symlink ${at(path)}`, async () => {
          await diskSystem.symlink(target, path)
          this.#keep(String(path))
        }),
      setMode: (fd, mode) => step(`setMode ${of(fd)}`, () => diskSystem.setMode(fd, mode)),
      setOwner: (fd, uid, gid) => step(`setOwner ${of(fd)}`, () => diskSystem.setOwner(fd, uid, gid)),
      setTimes: (fd, accessed, modified) => step(`setTimes ${of(fd)}`, () => diskSystem.setTimes(fd, accessed, modified)),
    }
  }

  async #step<T>(call: string, work: () => Promise<T>): Promise<T> {
    const step = this.calls.push(call) - 1
    const failure = this.#failure
    if (failure && (step === failure.step || (failure.forGood && step > failure.step))) throw systemError(failure.code, call)
    return work()
  }

  // A close that fails has closed the descriptor nevertheless, as on Linux.
  async #close(fd: number) {
    const path = this.#paths.get(fd) ?? `fd ${fd}`
    this.#paths.delete(fd)
    await diskSystem.close(fd)
    await this.#step(`close ${path}`, async () => {})
  }

  #shown(path: SystemPath) {
    const text = String(path)
    const isHandle = /^\/proc\/self\/fd\/\d+$/.test(text)
    const real = isHandle ? fs.readlinkSync(text) : join(fs.realpathSync(dirname(text)), basename(text))
    return relative(this.#folder, real) || '.'
  }
}

function systemError(code: string, call: string) {
  return Object.assign(new Error(`${code}: simulated failure of ${call}`), { code, syscall: call.split(' ')[0] })
}

function identityAt(path: string) {
  return identityOf(fs.lstatSync(path, { bigint: true }))
}

function identityOf({ dev, ino }: fs.BigIntStats) {
  return `${dev}:${ino}`
}
