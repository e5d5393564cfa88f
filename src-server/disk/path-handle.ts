// Handles of what stands at a path: they stay with the same object, whatever happens to its name.
import * as fs from 'node:fs'
import { promisify } from 'node:util'
import type { FileStats } from './call-sequence.ts'
import { errnoOf } from './errno.ts'
import { isFastDevice } from './file-systems.ts'
import type { DiskSystem, SystemPath } from './system.ts'

/** Names an object without opening it: no FIFO waits, no device wakes, a link is not followed. Node passes the bit on (Linux). */
const O_PATH = 0o10000000

export type Kind = 'file' | 'folder' | 'link' | 'special'

/** An open object of the disk. */
export type PathHandle = Readonly<{
  /** How to name it to the system: by handle on Linux, by path elsewhere. */
  address: string
  kind: Kind
  stats: fs.BigIntStats
  /** Names the object, not its name: `<device>:<inode>`. */
  identity: string
  close(): void
}>

/** How a platform opens paths. */
export type HandleStrategy = Readonly<{
  /** Opens what stands at the address itself: a link, not its target. Rejects with the system's error. */
  openPath(address: SystemPath): Promise<PathHandle>
  /** What the system says of what stands at the address itself; undefined when nothing does. Rejects with the system's error. */
  lstat(address: SystemPath): Promise<fs.BigIntStats | undefined>
  /** The same calls on the main thread, for file systems that are fast: `openPath` throws ENOENT. */
  now?: Readonly<{
    openPath(address: SystemPath): PathHandle
    lstat(address: SystemPath): fs.BigIntStats | undefined
    /** Does work in which relative paths start at a folder. @returns false when the system does not allow it */
    within(folder: PathHandle, work: () => void): boolean
  }>
  /** Where the host finds it now; a path to nothing may end in ' (deleted)'. */
  hostPathOf(handle: PathHandle): Promise<string>
  /** Whether an address opens the very object, whatever stands under its name by now. */
  opensByAddress: boolean
  /** Opens the content of this very object. @throws the system's error, ESTALE when something else stands there now */
  openContent(system: DiskSystem, handle: PathHandle, flags: number): Promise<number>
}>

const open = promisify(fs.open)
const lstat = promisify(fs.lstat)
const fstat = promisify(fs.fstat)

/** The address of a name in an open folder. */
export function below(folder: PathHandle, name: string): string {
  return `${folder.address}/${name}`
}

/** A second handle of a folder, to be closed on its own. */
export function duplicateHandle(strategy: HandleStrategy, folder: PathHandle): Promise<PathHandle> {
  return strategy.openPath(below(folder, '.'))
}

const pathOnly = O_PATH | fs.constants.O_NOFOLLOW

/** Linux: an O_PATH handle, reached again through /proc/self/fd. Each call goes through the thread pool: NFS and FUSE wait for fstat as well. */
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
  // Answered from the kernel's memory: it waits for no disk.
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

/** The working folder of the process. */
let home: number | undefined

/**
 * By the working folder of the process: a name in it is asked about in half of the time that a path through /proc takes. Nothing
 * else runs on the main thread meanwhile, and no call of the thread pool has a relative path.
 */
function workWithin(folder: PathHandle, work: () => void): boolean {
  home ??= fs.openSync('.', O_PATH)
  try {
    process.chdir(folder.address)
  } catch {
    return false
  }
  try {
    work()
  } finally {
    process.chdir(`/proc/self/fd/${home}`)
  }
  return true
}

function handleOf(fd: number, stats: fs.BigIntStats) {
  return pathHandleOf(`/proc/self/fd/${fd}`, stats, () => closeHandle(fd, stats))
}

/**
 * Closing frees memory only, and is done at once; but the last handle of a removed file frees the file's space on the disk, and a
 * file system that is not fast may wait for its server.
 */
function closeHandle(fd: number, stats: fs.BigIntStats) {
  if (isFastDevice(stats.dev) && fs.fstatSync(fd).nlink > 0) fs.closeSync(fd)
  else fs.close(fd, () => {})
}

function notThere(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error
}

/** Elsewhere: the path and the identity found there; what is opened is compared with it. A swap in between is found, not prevented. */
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
 * Why this machine cannot open files safely, as a sentence; undefined when it can.
 * Without /proc/self/fd a folder that is swapped for a link could lead out.
 */
export function handleProblem(strategy: HandleStrategy = systemStrategy, handles = '/proc/self/fd'): string | undefined {
  if (strategy === pathStrategy) return undefined
  const fd = fs.openSync('/', fs.constants.O_RDONLY | fs.constants.O_DIRECTORY)
  try {
    const [there, here] = [fs.statSync(`${handles}/${fd}`, { bigint: true }), fs.fstatSync(fd, { bigint: true })]
    if (identityOf(there) === identityOf(here)) return undefined
  } catch {
    // The sentence below says it.
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
