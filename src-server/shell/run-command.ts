// Runs one command to its end, without a terminal and without input.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { signalGroup } from './process-group.ts'

/** How much a command may use. */
export type CommandLimits = Readonly<{ milliseconds: number; bytes: number }>

export type Command = Readonly<{
  program: string
  args: readonly string[]
  /** The whole environment: nothing of the server's own is added. */
  env: Readonly<Record<string, string>>
  limits: CommandLimits
  clock: Clock
  /** Ends the command. */
  signal: AbortSignal
}>

/** How a command ended: by itself, or because of a limit or the signal. */
export type Outcome = Readonly<{
  kind: 'ended' | 'late' | 'tooMuch' | 'aborted' | 'notStarted'
  /** null when a signal ended it. */
  code: number | null
  /** What it wrote to its two outputs, as it came. */
  output: string
  /** Why it could not be started, such as `ENOENT`. */
  reason?: string
}>

/** Milliseconds for which output is waited for after the end, when a process outside the group holds the pipe open. */
const drainTime = 500

/**
 * Runs a command in a process group of its own, which is killed when the command ends, by itself or not: no process that it began
 * in the background stays. Its input is empty.
 */
export async function runCommand(command: Command): Promise<Outcome> {
  const { program, args, env, limits, clock, signal } = command
  if (signal.aborted) return { kind: 'aborted', code: null, output: '' }
  const started = begin(() => spawn(program, [...args], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true }))
  if ('reason' in started) return started
  const { child } = started
  let kind: Outcome['kind'] = 'ended'
  const end = (why: Outcome['kind']) => {
    if (kind === 'ended' && child.exitCode === null && child.signalCode === null) kind = why
    killGroup(child)
  }
  const output = collect(child, limits.bytes, () => end('tooMuch'))
  const cancel = clock.after(limits.milliseconds, () => end('late'))
  const abort = () => end('aborted')
  signal.addEventListener('abort', abort)
  // Listened for at once: it may come in the same turn as the exit.
  const closed = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  try {
    const exit = await exitOf(child)
    killGroup(child)
    if ('reason' in exit) return { kind: 'notStarted', code: null, output: '', reason: exit.reason }
    await drained(child, closed)
    return { kind, code: exit.code, output: output() }
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

function begin(start: () => ChildProcess): { child: ChildProcess } | (Outcome & { reason: string }) {
  try {
    return { child: start() }
  } catch (error) {
    // An argument that holds NUL or is too long for the system.
    return { kind: 'notStarted', code: null, output: '', reason: reasonOf(error) }
  }
}

function killGroup({ pid }: ChildProcess) {
  if (pid !== undefined) signalGroup(pid, 'SIGKILL')
}

/** @returns what has been read so far, at most `most` bytes */
function collect({ stdout, stderr }: ChildProcess, most: number, tooMuch: () => void): () => string {
  const chunks: Buffer[] = []
  let size = 0
  for (const stream of [stdout, stderr] as Readable[]) {
    stream.on('error', () => {})
    stream.on('data', (chunk: Buffer) => {
      if (size < most) chunks.push(chunk.subarray(0, most - size))
      size += chunk.length
      if (size > most) tooMuch()
    })
  }
  return () => Buffer.concat(chunks).toString()
}

function exitOf(child: ChildProcess): Promise<{ code: number | null } | { reason: string }> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve({ code }))
    child.once('error', (error) => resolve({ reason: reasonOf(error) }))
  })
}

async function drained({ stdout, stderr }: ChildProcess, closed: Promise<void>): Promise<void> {
  const giveUp = setTimeout(() => {
    stdout?.destroy()
    stderr?.destroy()
  }, drainTime)
  await closed
  clearTimeout(giveUp)
}

function reasonOf(error: unknown) {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
