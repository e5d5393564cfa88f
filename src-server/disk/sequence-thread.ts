// The code of a thread that runs sequences of calls, one at a time. It is bundled on its own: see `build.ts`.
import * as fs from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { type Answer, type Call, type FileStats, type Outcome, stepsOf } from './call-sequence.ts'

/** An error as a message can hold it. */
export type SentError = Readonly<{ message: string; code?: string; syscall?: string }>

export type SentOutcome = Readonly<{ stats?: FileStats; failed?: Readonly<{ index: number; error: SentError }> }>

parentPort?.on('message', (calls: readonly Call[]) => parentPort?.postMessage(sent(run(calls))))

function run(calls: readonly Call[]): Outcome {
  const steps = stepsOf(calls)
  let step = steps.next()
  while (!step.done) step = steps.next(answerTo(step.value))
  return step.value
}

function answerTo(call: Call): Answer {
  try {
    return { value: perform(call) }
  } catch (error) {
    return { error: error as Error }
  }
}

function perform(asked: Call): unknown {
  const { call, args } = asked
  switch (call) {
    case 'open':
      return fs.openSync(...args)
    case 'write':
      return writeAll(...args)
    case 'copy':
      return copy(...args)
    case 'stat':
      return fieldsOf(fs.fstatSync(args[0], { bigint: true }))
    case 'setOwner':
      return fs.fchownSync(...args)
    case 'setMode':
      return fs.fchmodSync(...args)
    case 'setTimes':
      return fs.futimesSync(...args)
    case 'sync':
      return fs.fsyncSync(...args)
    case 'close':
      return fs.closeSync(...args)
    case 'link':
      return fs.linkSync(...args)
    case 'rename':
      return fs.renameSync(...args)
    case 'unlink':
      return fs.unlinkSync(...args)
  }
}

function writeAll(fd: number, bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at, bytes.length - at, at)
}

/** Kept from one copy to the next: new memory for each would cost more than the copy. */
let scratch = new Uint8Array(64 << 10)

function copy(fd: number, from: string, length: number) {
  if (scratch.length < length) scratch = new Uint8Array(length)
  const bytes = scratch.subarray(0, length)
  const source = fs.openSync(from, fs.constants.O_RDONLY)
  try {
    for (let at = 0; at < length; ) {
      const read = fs.readSync(source, bytes, at, length - at, at)
      if (read === 0) throw Object.assign(new Error('the file got shorter'), { code: 'ESHRUNK', syscall: 'read' })
      at += read
    }
  } finally {
    fs.closeSync(source)
  }
  writeAll(fd, bytes)
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
