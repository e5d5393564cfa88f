import * as fs from 'node:fs'
import { promisify } from 'node:util'
import { type Answer, type Call, type Outcome, stepsOf } from './call-sequence.ts'
import { systemFor } from './device-limit.ts'
import type { DiskContext } from './disk-context.ts'
import type { PathHandle } from './path-handle.ts'
import { SequenceThreads } from './sequence-threads.ts'
import { type DiskSystem, diskSystem, writeAllAt } from './system.ts'

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
export async function runOneByOne(system: DiskSystem, calls: readonly Call[]): Promise<Outcome> {
  const steps = stepsOf(calls)
  let step = steps.next()
  while (!step.done) step = steps.next(await answerTo(system, step.value))
  return step.value
}

async function answerTo(system: DiskSystem, call: Call): Promise<Answer> {
  try {
    return { value: await perform(system, call) }
  } catch (error) {
    return { error: error as Error }
  }
}

function perform(system: DiskSystem, asked: Call): Promise<unknown> | unknown {
  const { call, args } = asked
  switch (call) {
    case 'open':
      return system.open(...args)
    case 'write':
      return writeAllAt(system, args[0], { chunks: [args[1]], position: 0 })
    case 'copy':
      return copy(system, ...args)
    // Answered from memory, of a file that was just written.
    case 'stat':
      return fs.fstatSync(args[0], { bigint: true })
    case 'setOwner':
      return system.setOwner(...args)
    case 'setMode':
      return system.setMode(...args)
    case 'setTimes':
      return system.setTimes(...args)
    case 'sync':
      return system.sync(...args)
    case 'close':
      return system.close(...args)
    case 'link':
      return system.link(...args)
    case 'rename':
      return system.rename(...args)
    case 'unlink':
      return system.unlink(...args)
  }
}

async function copy(system: DiskSystem, fd: number, from: string, length: number) {
  const bytes = new Uint8Array(length)
  const source = await system.open(from, fs.constants.O_RDONLY)
  try {
    for (let at = 0; at < length; ) {
      const { bytesRead } = await readAt(source, bytes, at, length - at, at)
      if (bytesRead === 0) throw Object.assign(new Error('the file got shorter'), { code: 'ESHRUNK', syscall: 'read' })
      at += bytesRead
    }
  } finally {
    await system.close(source)
  }
  await writeAllAt(system, fd, { chunks: [bytes], position: 0 })
}
