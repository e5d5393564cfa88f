// Which file systems of this machine may be called on the main thread, by device number: those that certainly answer fast.

import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { Limiter } from '../base/limiter.ts'
import { orAborted } from '../base/or-aborted.ts'
import { asking, DeviceCalls } from './device-calls.ts'
import { readMounts } from './mounts.ts'
import type { PathHandle } from './path-handle.ts'

const statfs = promisify(fs.statfs)
const stat = promisify(fs.stat)

// The magic numbers of statfs(2).
const local = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // btrfs
  0x01021994, // tmpfs
  0x794c7630, // overlayfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
])

/** Milliseconds for which a fast answer in the thread pool permits calls on the main thread. */
const freshness = 1000
/** Milliseconds: an answer of the thread pool that took longer does not count as fast. */
const slowAnswer = 50
/** Milliseconds for which one call may stop the main thread before the thread pool takes over. */
const longestCall = 5

/** What this process has measured of one device. */
export class FileSystem {
  /** Its calls in the thread pool. */
  readonly calls = new DeviceCalls()
  /** For opening it in searches, which must not occupy the slots of the device around it. */
  readonly openingSlots = new Limiter({ inAll: 2 })
  #isLocal = false
  #learning: Promise<void> | undefined
  #learnedAt = Number.NEGATIVE_INFINITY
  #answeredAt = Number.NEGATIVE_INFINITY
  /** When each call was begun that the thread pool has not answered yet, oldest first. */
  readonly #waiting = new Map<symbol, number>()

  /** Whether it can be asked on the main thread: it is local and the thread pool had a fast answer within the last second. */
  get isFast(): boolean {
    if (!this.#isLocal) return false
    const now = performance.now()
    if (now - this.#answeredAt > freshness) return false
    const [oldest = now] = this.#waiting.values()
    return now - oldest < slowAnswer
  }

  /** Whether only this machine changes it, and answers come from a disk of this machine. */
  get isLocal(): boolean {
    return this.#isLocal
  }

  get isLearned(): boolean {
    return performance.now() - this.#learnedAt < freshness
  }

  /** Whether a call in the thread pool has not returned yet. */
  get isAsked(): boolean {
    return this.#waiting.size > 0
  }

  /** Asks for its type: a device number may be another file system's a moment later. @param folder one that is open on it */
  learn(folder: PathHandle): Promise<void> {
    // Once for all who wait for it: a device that hangs would else get a call from each.
    this.#learning ??= this.#learn(folder).finally(() => {
      this.#learning = undefined
    })
    return this.#learning
  }

  async #learn({ address, stats }: PathHandle) {
    const { type } = await this.timed(() => statfs(address))
    // Who asked may have left meanwhile and closed the folder: the address leads to another file then.
    const { dev } = await this.timed(() => stat(address, { bigint: true }))
    if (dev !== stats.dev) return
    // 32 bits, which some systems hand on with a sign.
    this.#isLocal = local.has(type >>> 0)
    this.#learnedAt = performance.now()
  }

  /** Runs a call of the thread pool when it has room, and remembers how fast the answer was. @param signal ends the waiting */
  timed<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.calls.read(() => this.#timed(call), signal)
  }

  async #timed<T>(call: () => Promise<T>): Promise<T> {
    const key = Symbol('call')
    const begun = performance.now()
    this.#waiting.set(key, begun)
    try {
      return await call()
    } finally {
      this.#waiting.delete(key)
      this.note(performance.now() - begun)
    }
  }

  /** Remembers an answer outside of the main thread. */
  note(milliseconds: number): void {
    this.#answeredAt = milliseconds < slowAnswer ? performance.now() : Number.NEGATIVE_INFINITY
  }

  /** Runs a call on the main thread; after a slow one the next go through the thread pool. */
  timedNow<T>(call: () => T): T {
    const begun = performance.now()
    try {
      return call()
    } finally {
      if (performance.now() - begun > longestCall) this.#answeredAt = Number.NEGATIVE_INFINITY
    }
  }
}

const known = new Map<bigint, FileSystem>()

/** What is known of a device. */
export function fileSystemOn(device: bigint): FileSystem {
  const fileSystem = known.get(device) ?? new FileSystem()
  known.set(device, fileSystem)
  return fileSystem
}

/** The file system of an open folder, asked for its type when that was not done within the last second. @param signal ends the waiting */
export function fileSystemOf(folder: PathHandle, signal?: AbortSignal): FileSystem | Promise<FileSystem> {
  const fileSystem = fileSystemOn(folder.stats.dev)
  if (fileSystem.isLearned) return fileSystem
  const learned = fileSystem.learn(folder).then(
    () => fileSystem,
    () => fileSystem,
  )
  return asking(() => orAborted(learned, signal), signal)
}

/** Whether a device's file system can be asked on the main thread. */
export function isFastDevice(device: bigint): boolean {
  return known.get(device)?.isFast ?? false
}

/** By folder and name, and by the path of a folder that links may lead into. */
const mounts = new Map<string, FileSystem>()
/** As many are remembered, and those that are asked: mount points are known by name alone, and any folder may have that name. */
const mostMounts = 1000

/** Of what lies under a name in a folder: a mount point leads to another device, which may hang while that of the folder does not. */
export function fileSystemBelow(folder: PathHandle, fileSystem: FileSystem, name: string): FileSystem {
  return mountPointNames()?.has(name) ? mountIn(folder, name) : fileSystem
}

/** Of what lies under the name of a mount point in a folder. */
export function mountIn({ stats: { dev, ino } }: PathHandle, name: string): FileSystem {
  return fileSystemAt(`${dev}:${ino}/${name}`)
}

/** Of a place whose device is not known before it was asked. */
export function fileSystemAt(place: string): FileSystem {
  const mount = mounts.get(place) ?? new FileSystem()
  mounts.delete(place)
  mounts.set(place, mount)
  if (mounts.size > mostMounts) forgetUnasked()
  return mount
}

function forgetUnasked() {
  for (const [place, mount] of mounts) {
    if (mounts.size <= mostMounts / 2) return
    if (!mount.isAsked) mounts.delete(place)
  }
}

/** Remembers how fast a device has answered a thread. */
export function noteAnswer(device: bigint, milliseconds: number): void {
  known.get(device)?.note(milliseconds)
}

let mountNames: Set<string> | undefined
let mountsReadAt = Number.NEGATIVE_INFINITY

/** Whether there may be a mount point with this name in some folder: another file system, which may hang. */
export function mayBeMountPoint(name: string): boolean {
  return mountPointNames()?.has(name) ?? true
}

/** The last names of all mount points; undefined when the system does not list them. */
export function mountPointNames(): ReadonlySet<string> | undefined {
  if (performance.now() - mountsReadAt > freshness) {
    mountNames = readMountNames()
    mountsReadAt = performance.now()
  }
  return mountNames
}

function readMountNames(): Set<string> | undefined {
  const mounts = readMounts()
  return mounts && new Set(mounts.map(({ point }) => point.slice(point.lastIndexOf('/') + 1)))
}
