// Runs a command for clients that get its output line by line.
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Clock } from '../base/clock.ts'
import { endGroup, signalGroup } from './process-group.ts'

/** Gets one line of output, without its newline. The command waits until it resolves. */
export type LineOutput = (line: string) => Promise<void>

/** Characters of a line after which the output ends. */
const longestLine = 65_536

type LinesStart = Readonly<{
  program: string
  args: readonly string[]
  folder: string
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>
  write: LineOutput
  clock: Clock
}>

/** A running command. */
export type RunningLines = Readonly<{
  /** Resolves when it has ended and its output was written. */
  ended: Promise<void>
  /** Ends it and what it began: SIGHUP, and SIGKILL after five seconds. */
  close(): Promise<void>
}>

/** Runs a command with an empty input. @throws when it cannot be started */
export async function runLines({ program, args, folder, env, write, clock }: LinesStart): Promise<RunningLines> {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(program, [...args], { cwd: folder, env: { ...env }, stdio: [...stdio], detached: true })
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const started = new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  const written = Promise.allSettled([child.stdout, child.stderr].map((output) => writeLines(output as Readable, write)))
  await started
  const leader = child.pid as number
  let isOver = false
  void exited.then(() => {
    isOver = true
    // What it began in the background would hold the outputs open.
    signalGroup(leader, 'SIGKILL')
  })
  const close = async () => {
    child.stdout?.destroy()
    child.stderr?.destroy()
    if (!isOver) await endGroup({ leader, ended: exited, clock })
  }
  return { ended: Promise.all([exited, written]).then(() => {}), close }
}

async function writeLines(output: Readable, write: LineOutput): Promise<void> {
  output.setEncoding('utf8')
  let rest = ''
  for await (const text of output as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) await write(line)
    if (rest.length > longestLine) return
  }
  if (rest !== '') await write(rest)
}
