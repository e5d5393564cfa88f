import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { type Call, type Outcome, pathOfHandle, runLater, type SequenceReads } from './call-sequence.ts'
import { systemFor } from './device-limit.ts'
import type { DiskContext } from './disk-context.ts'
import type { PathHandle } from './path-handle.ts'
import { SequenceThreads } from './sequence-threads.ts'
import { type DiskSystem, diskSystem } from './system.ts'

const readAt = promisify(fs.read)

type Device = { readonly threads: SequenceThreads; atWork: number }

const devices = new Map<bigint, Device>()

/**
 * Runs calls that change entries of a folder, until one fails. The buffers of written bytes are transferred: each must hold these
 * bytes alone, and must not be used afterwards.
 */
export async function runCalls(context: DiskContext, folder: PathHandle, calls: readonly Call[]): Promise<Outcome> {
  const system = systemFor(context, folder)
  // A test's substitute for the system gets each call.
  if (context.system !== diskSystem) return runOneByOne(system, calls)
  const device = devices.get(folder.stats.dev) ?? { threads: new SequenceThreads(), atWork: 0 }
  devices.set(folder.stats.dev, device)
  const onThread = device.threads.run(calls, device.atWork > 0)
  device.atWork++
  try {
    return await (onThread ?? runOneByOne(system, calls))
  } finally {
    device.atWork--
  }
}

/** Through the thread pool. */
export function runOneByOne(system: DiskSystem, calls: readonly Call[]): Promise<Outcome> {
  return runLater(system, reads, calls)
}

const reads: SequenceReads = {
  // Answered from memory, of a file that was just written.
  stat: (fd) => fs.fstatSync(fd, { bigint: true }),
  read: async (fd, bytes, position) => (await readAt(fd, bytes, 0, bytes.length, position)).bytesRead,
  pathOf: pathOfHandle,
  memoryFor: (bytes) => new Uint8Array(bytes),
}
