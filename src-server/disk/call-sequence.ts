// System calls that follow each other without a decision in between. For a thread they are one message; through the thread pool each
// is a message of its own, which costs more than the call itself.
import type { BigIntStats } from 'node:fs'
import type { SystemPath } from './system.ts'

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
}

/** `ignored`: errors after which the sequence continues; `ending`: errors after which it ends as successful. */
type CallOf<Name extends keyof Arguments> = Readonly<{
  call: Name
  args: Arguments[Name]
  ignored?: readonly string[] | 'all'
  ending?: readonly string[]
}>

export type Call = { [Name in keyof Arguments]: CallOf<Name> }[keyof Arguments]

/** The result of a sequence. `failed.index` is the call that failed; a file that the sequence has opened is closed then. */
export type Outcome = Readonly<{ stats?: FileStats; failed?: Readonly<{ index: number; error: Error }> }>

/** The result of one call. */
export type Answer = Readonly<{ value?: unknown; error?: Error }>

/** Yields one call after the other, and receives its result. */
export function* stepsOf(calls: readonly Call[]): Generator<Call, Outcome, Answer> {
  let fd: number | undefined
  let stats: FileStats | undefined
  for (const [index, asked] of calls.entries()) {
    const call = withDescriptor(asked, fd)
    const { value, error } = yield call
    // A close that fails has closed the descriptor nevertheless.
    if (call.call === 'close' && call.args[0] === fd) fd = undefined
    if (!error && call.call === 'open') fd = value as number
    if (!error && call.call === 'stat') stats = value as FileStats
    if (!error || covers(call.ignored, error)) continue
    if (fd !== undefined) yield { call: 'close', args: [fd] }
    return { ...(stats && { stats }), ...(!covers(call.ending, error) && { failed: { index, error } }) }
  }
  return { ...(stats && { stats }) }
}

function withDescriptor(call: Call, fd: number | undefined): Call {
  if (call.args[0] !== opened) return call
  if (fd === undefined) throw new TypeError(`${call.call} before a call that opens`)
  return { ...call, args: [fd, ...call.args.slice(1)] } as Call
}

function covers(codes: readonly string[] | 'all' | undefined, error: Error) {
  return codes === 'all' || (codes !== undefined && 'code' in error && codes.includes(String(error.code)))
}
