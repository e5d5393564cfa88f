// Handles of the object at a path, which keep referring to it when it is renamed.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { FileStats } from './call-sequence.ts'
import { errnoOf } from './errno.ts'
import { fileSystemOn, isFastDevice } from './file-systems.ts'
import type { DiskSystem, SystemPath } from './system.ts'

/** O_PATH: refers to an object without opening its content: FIFOs do not block, links are not followed. Node passes it on (Linux). */
const O_PATH = 0o10000000

export type Kind = 'file' | 'folder' | 'link' | 'special'

/** An open object of the disk. */
export type PathHandle = Readonly<{
  /** Its path for system calls: through the handle on Linux, the path itself on other systems. */
  address: string
  kind: Kind
  stats: fs.BigIntStats
  /** Identifies the object, independently of its name: `<device>:<inode>`. */
  identity: string
  close(): void
}>

/** How a platform opens paths. */
export type HandleStrategy = Readonly<{
  /** Opens the object at the address itself: a link, not its target. Rejects with the system's error. */
  openPath(address: SystemPath): Promise<PathHandle>
  /** `lstat` of the object at the address; undefined when there is none. Rejects with the system's error. */
  lstat(address: SystemPath): Promise<fs.BigIntStats | undefined>
  /** The same calls on the main thread, for file systems that are fast: `openPath` throws ENOENT. */
  now?: Readonly<{
    openPath(address: SystemPath): PathHandle
    lstat(address: SystemPath): fs.BigIntStats | undefined
    /** Does work in which relative paths start at a folder. @returns false when the system does not allow it */
    within(folder: PathHandle, work: () => void): boolean
  }>
  /** Its present path on the host; that of a removed object may end in ' (deleted)'. */
  hostPathOf(handle: PathHandle): Promise<string>
  /** Whether an address opens the same object even when its name refers to another by now. */
  opensByAddress: boolean
  /** Opens the content of this object. @throws the system's error, ESTALE when the path refers to another object now */
  openContent(system: DiskSystem, handle: PathHandle, flags: number): Promise<number>
}>

const open = promisify(fs.open)
const lstat = promisify(fs.lstat)
const fstat = promisify(fs.fstat)

/** The address of a name in an open folder. */
export function below(folder: PathHandle, name: string): string {
  return `${folder.address}/${name}`
}

/** A second handle of a folder, to be closed on its own. @param signal ends the waiting for the thread pool */
export function duplicateHandle(strategy: HandleStrategy, folder: PathHandle, signal?: AbortSignal): Promise<PathHandle> {
  return fileSystemOn(folder.stats.dev).calls.read(() => strategy.openPath(below(folder, '.')), signal)
}

const pathOnly = O_PATH | fs.constants.O_NOFOLLOW

/** Linux: an O_PATH handle, addressed through /proc/self/fd. Each call uses the thread pool: NFS and FUSE may block in fstat too. */
export const descriptorStrategy: HandleStrategy = {
  opensByAddress: true,
  async openPath(address) {
    const fd = await open(address, pathOnly)
    try {
      return handleOf(fd, await fstat(fd, { bigint: true }))
    } catch (error) {
      fs.close(fd, () => {})
      throw error
    }
  },
  lstat: (address) => lstat(address, { bigint: true }).catch(notThere),
  // Answered from the kernel's memory, without a disk access.
  hostPathOf: async (handle) => fs.readlinkSync(handle.address),
  openContent: (system, handle, flags) => system.open(handle.address, flags),
}

/** Linux, with the calls that may be made on the main thread. */
const fastDescriptorStrategy: HandleStrategy = {
  ...descriptorStrategy,
  now: {
    openPath(address) {
      const fd = fs.openSync(address, pathOnly)
      try {
        return handleOf(fd, fs.fstatSync(fd, { bigint: true }))
      } catch (error) {
        fs.closeSync(fd)
        throw error
      }
    },
    lstat: (address) => fs.lstatSync(address, { bigint: true, throwIfNoEntry: false }),
    within: workWithin,
  },
}

/** Where the process works; undefined until it is known. A process may have been started in a folder that it may not enter. */
let home: string | undefined

function findHome(): string {
  try {
    return `/proc/self/fd/${fs.openSync('.', O_PATH)}`
  } catch {
    return '/'
  }
}

function returnHome() {
  try {
    process.chdir(home ?? '/')
  } catch {
    home = '/'
    process.chdir(home)
  }
}

/**
 * Changes the working folder of the process: a call with a name in it takes half of the time of a path through /proc. No other
 * code of the main thread runs meanwhile, and no call in the thread pool has a relative path.
 */
function workWithin(folder: PathHandle, work: () => void): boolean {
  home ??= findHome()
  try {
    process.chdir(folder.address)
  } catch {
    return false
  }
  try {
    work()
  } finally {
    returnHome()
  }
  return true
}

function handleOf(fd: number, stats: fs.BigIntStats) {
  return pathHandleOf(`/proc/self/fd/${fd}`, stats, () => closeHandle(fd, stats))
}

/**
 * Closing only frees memory, and is done synchronously; but the last handle of a removed file frees its space on the disk, and a
 * file system that is not fast may wait for its server.
 */
function closeHandle(fd: number, stats: fs.BigIntStats) {
  if (isFastDevice(stats.dev) && fs.fstatSync(fd).nlink > 0) fs.closeSync(fd)
  else fs.close(fd, () => {})
}

function notThere(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error
}

/** Other systems: the path and its identity, with which an opened object is compared. A replacement is detected, not prevented. */
export const pathStrategy: HandleStrategy = {
  opensByAddress: false,
  openPath: async (address) => pathHandleOf(String(address), await lstat(address, { bigint: true }), () => {}),
  lstat: descriptorStrategy.lstat,
  hostPathOf: (handle) => promisify(fs.realpath)(handle.address),
  async openContent(system, handle, flags) {
    const fd = await system.open(handle.address, flags | (fs.constants.O_NOFOLLOW ?? 0))
    const opened = await fstat(fd, { bigint: true })
    if (identityOf(opened) === handle.identity) return fd
    await system.close(fd)
    throw Object.assign(new Error('ESTALE: something else stands there now'), { code: 'ESTALE', syscall: 'open' })
  },
}

export const systemStrategy: HandleStrategy = process.platform === 'linux' ? fastDescriptorStrategy : pathStrategy

/**
 * The error message when this machine cannot open files safely; undefined when it can.
 * Without /proc/self/fd a link that replaces a folder could lead out of the scope.
 */
export function handleProblem(strategy: HandleStrategy = systemStrategy, handles = '/proc/self/fd'): string | undefined {
  if (strategy === pathStrategy) return undefined
  const fd = fs.openSync('/', fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  try {
    const [there, here] = [fs.statSync(`${handles}/${fd}`, { bigint: true }), fs.fstatSync(fd, { bigint: true })]
    if (identityOf(there) === identityOf(here)) return undefined
  } catch {
    // Reported by the message below.
  } finally {
    fs.closeSync(fd)
  }
  return 'Holdall needs /proc/self/fd to reach files safely: mount proc on /proc and start again.'
}

export function identityOf(stats: Pick<FileStats, 'dev' | 'ino'>): string {
  return `${stats.dev}:${stats.ino}`
}

export function kindOf({ mode }: Pick<FileStats, 'mode'>): Kind {
  switch (Number(mode) & fs.constants.S_IFMT) {
    case fs.constants.S_IFREG:
      return 'file'
    case fs.constants.S_IFDIR:
      return 'folder'
    case fs.constants.S_IFLNK:
      return 'link'
    default:
      return 'special'
  }
}

function pathHandleOf(address: string, stats: fs.BigIntStats, close: () => void): PathHandle {
  let isOpen = true
  const closeOnce = () => {
    if (isOpen) close()
    isOpen = false
  }
  return { address, kind: kindOf(stats), stats, identity: identityOf(stats), close: closeOnce }
}
