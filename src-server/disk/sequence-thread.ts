// The code of a thread that runs sequences of calls, one at a time. It is bundled on its own: see `build.ts`.
import * as fs from 'node:fs'
import { parentPort } from 'node:worker_threads'
import {
  type Call,
  type FileStats,
  type Outcome,
  pathOfHandle,
  runNow,
  type SequenceReads,
  type SequenceSystem,
  timeForNode,
} from './call-sequence.ts'

/** An error as a message can hold it. */
export type SentError = Readonly<{ message: string; code?: string; syscall?: string }>

export type SentOutcome = Readonly<{ stats?: FileStats; failed?: Readonly<{ index: number; error: SentError }> }>

parentPort?.on('message', (calls: readonly Call[]) => parentPort?.postMessage(sent(runNow(system, reads, calls))))

const system: SequenceSystem = {
  open: fs.openSync,
  close: fs.closeSync,
  writev: fs.writevSync,
  sync: fs.fsyncSync,
  link: fs.linkSync,
  rename: fs.renameSync,
  unlink: fs.unlinkSync,
  setMode: fs.fchmodSync,
  setOwner: fs.fchownSync,
  setTimes: (fd, accessed, modified) => fs.futimesSync(fd, timeForNode(accessed), timeForNode(modified)),
}

/** Kept from one copy to the next: new memory for each would cost more than the copy. */
let scratch = new Uint8Array(64 << 10)

const reads: SequenceReads = {
  stat: (fd) => fieldsOf(fs.fstatSync(fd, { bigint: true })),
  read: (fd, bytes, position) => fs.readSync(fd, bytes, 0, bytes.length, position),
  pathOf: pathOfHandle,
  memoryFor: (bytes) => {
    if (scratch.length < bytes) scratch = new Uint8Array(bytes)
    return scratch
  },
}

function fieldsOf({ dev, ino, mode, nlink, uid, gid, size, mtimeNs }: fs.BigIntStats): FileStats {
  return { dev, ino, mode, nlink, uid, gid, size, mtimeNs }
}

function sent({ stats, failed }: Outcome): SentOutcome {
  const known = stats ? { stats } : {}
  if (!failed) return known
  const { message, code, syscall } = failed.error as NodeJS.ErrnoException
  return { ...known, failed: { index: failed.index, error: { message, ...(code && { code }), ...(syscall && { syscall }) } } }
}
