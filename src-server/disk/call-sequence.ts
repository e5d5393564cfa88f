// System calls that follow each other without a decision in between. For a thread they are one message; through the thread pool each
// is a message of its own, which costs more than the call itself.
import { type BigIntStats, constants, readlinkSync } from 'node:fs'
import type { DiskSystem, SystemPath } from './system.ts'

/** Stands for the descriptor that the sequence itself has opened last. */
export const opened = -2

/** The fields of `fs.BigIntStats` without its methods, which cannot be sent to a thread. */
export type FileStats = Readonly<Pick<BigIntStats, 'dev' | 'ino' | 'mode' | 'nlink' | 'uid' | 'gid' | 'size' | 'mtimeNs'>>

type Arguments = {
  open: [path: SystemPath, flags: number, mode?: number]
  /** Writes all bytes from the file's beginning on. */
  write: [fd: number, bytes: Uint8Array]
  /** Copies the first `bytes` bytes of the file at `from`. @throws ESHRUNK when it has fewer */
  copy: [fd: number, from: string, bytes: number]
  /** -1 keeps the user or the group. */
  setOwner: [fd: number, uid: number, gid: number]
  setMode: [fd: number, mode: number]
  /** Seconds since the epoch. */
  setTimes: [fd: number, accessed: number, modified: number]
  sync: [fd: number]
  stat: [fd: number]
  close: [fd: number]
  link: [from: string, to: string]
  rename: [from: string, to: string]
  unlink: [path: string]
  /** Checks that an open folder lies at a path of the host. @throws EMOVED when the system names another path, or none */
  at: [address: string, path: string]
}

/** `ignored`: errors after which the sequence continues; `ending`: errors after which it ends as successful. */
type CallOf<Name extends keyof Arguments> = Readonly<{
  call: Name
  args: Arguments[Name]
  ignored?: readonly string[] | 'all'
  ending?: readonly string[]
}>

export type Call = { [Name in keyof Arguments]: CallOf<Name> }[keyof Arguments]

/** A time as Node takes it, which reads numbers below 0 as the present. @param seconds since the epoch */
export const timeForNode = (seconds: number): number | Date => (seconds < 0 ? new Date(seconds * 1000) : seconds)

/** The result of a sequence. `failed.index` is the call that failed; a file that the sequence has opened is closed then. */
export type Outcome = Readonly<{ stats?: FileStats; failed?: Readonly<{ index: number; error: Error }> }>

/** An answer that a thread has at once, and that comes later from the thread pool. */
type Answered<T> = T | Promise<T>

/** The calls of the system that sequences consist of. */
export type SequenceSystem = Readonly<{
  [Name in 'open' | 'close' | 'writev' | 'sync' | 'link' | 'rename' | 'unlink' | 'setMode' | 'setOwner' | 'setTimes']: (
    ...args: Parameters<DiskSystem[Name]>
  ) => Answered<Awaited<ReturnType<DiskSystem[Name]>>>
}>

/** What they read. */
export type SequenceReads = Readonly<{
  stat(fd: number): FileStats
  /** @returns the bytes that were read from a position on; 0 at the end */
  read(fd: number, bytes: Uint8Array, position: number): Answered<number>
  /** @returns the path of an open folder on the host; undefined when the system does not name it */
  pathOf(address: string): string | undefined
  /** Memory for one copy, at least as long. */
  memoryFor(bytes: number): Uint8Array
}>

type Steps<T> = Generator<unknown, T, unknown>

/** Runs calls whose answers come at once, on a thread. */
export function runNow(system: SequenceSystem, reads: SequenceReads, calls: readonly Call[]): Outcome {
  const steps = stepsOf({ system, reads }, calls)
  let step = steps.next()
  while (!step.done) step = steps.next(step.value)
  return step.value
}

/** Runs calls whose answers come later. */
export async function runLater(system: SequenceSystem, reads: SequenceReads, calls: readonly Call[]): Promise<Outcome> {
  const steps = stepsOf({ system, reads }, calls)
  let step = steps.next()
  while (!step.done) step = await afterAnswer(steps, step.value)
  return step.value
}

async function afterAnswer<T>(steps: Steps<T>, answer: unknown): Promise<IteratorResult<unknown, T>> {
  let value: unknown
  try {
    value = await answer
  } catch (error) {
    return steps.throw(error)
  }
  return steps.next(value)
}

type Calls = Readonly<{ system: SequenceSystem; reads: SequenceReads }>

/** Yields what the system answers, and receives the value of the answer. */
function* stepsOf(via: Calls, calls: readonly Call[]): Steps<Outcome> {
  let fd: number | undefined
  let stats: FileStats | undefined
  for (const [index, asked] of calls.entries()) {
    const call = withDescriptor(asked, fd)
    // A close that fails has closed the descriptor nevertheless.
    if (call.call === 'close' && call.args[0] === fd) fd = undefined
    try {
      const value = yield* perform(via, call)
      if (call.call === 'open') fd = value as number
      if (call.call === 'stat') stats = value as FileStats
    } catch (cause) {
      const error = cause as Error
      if (covers(call.ignored, error)) continue
      if (fd !== undefined) yield* closeAnyway(via, fd)
      return { ...(stats && { stats }), ...(!covers(call.ending, error) && { failed: { index, error } }) }
    }
  }
  return { ...(stats && { stats }) }
}

function* perform({ system, reads }: Calls, { call, args }: Call): Steps<unknown> {
  if (call === 'write') return yield* writeAll(system, args[0], args[1])
  if (call === 'copy') return yield* copy({ system, reads }, ...args)
  if (call === 'stat') return reads.stat(args[0])
  if (call === 'at') return checkPath(reads, ...args)
  return yield (system[call] as (...args: unknown[]) => unknown)(...args)
}

function checkPath({ pathOf }: SequenceReads, address: string, path: string): void {
  if (pathOf(address) !== path)
    throw Object.assign(new Error('the folder lies elsewhere'), { code: 'EMOVED', syscall: 'readlink' })
}

/** What `reads.pathOf` answers: from the kernel's memory, without a disk access. */
export function pathOfHandle(address: string): string | undefined {
  try {
    return readlinkSync(address)
  } catch {
    return undefined
  }
}

function* writeAll(system: SequenceSystem, fd: number, bytes: Uint8Array): Steps<void> {
  for (let at = 0; at < bytes.length; ) at += (yield system.writev(fd, [bytes.subarray(at)], at)) as number
}

function* copy({ system, reads }: Calls, fd: number, from: string, length: number): Steps<void> {
  const bytes = reads.memoryFor(length).subarray(0, length)
  const source = (yield system.open(from, constants.O_RDONLY)) as number
  try {
    for (let at = 0; at < length; ) {
      const read = (yield reads.read(source, bytes.subarray(at), at)) as number
      if (read === 0) throw Object.assign(new Error('the file got shorter'), { code: 'ESHRUNK', syscall: 'read' })
      at += read
    }
  } finally {
    yield system.close(source)
  }
  yield* writeAll(system, fd, bytes)
}

function* closeAnyway({ system }: Calls, fd: number): Steps<void> {
  try {
    yield system.close(fd)
  } catch {
    // The first error is reported.
  }
}

function withDescriptor(call: Call, fd: number | undefined): Call {
  if (call.args[0] !== opened) return call
  if (fd === undefined) throw new TypeError(`${call.call} before a call that opens`)
  return { ...call, args: [fd, ...call.args.slice(1)] } as Call
}

function covers(codes: readonly string[] | 'all' | undefined, error: Error) {
  return codes === 'all' || (codes !== undefined && 'code' in error && codes.includes(String(error.code)))
}
