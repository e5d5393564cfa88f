// Opens pseudo-terminals. No other file uses node-pty.
import type { Clock } from '../base/clock.ts'
import { endGroup, signalGroup } from './process-group.ts'

/** A command to run in a terminal. */
export type TerminalStart = {
  command: string
  args: readonly string[]
  folder: string
  /** The whole environment of the command: nothing of the server's own is added. */
  env: Readonly<Record<string, string>>
  columns?: number
  rows?: number
  clock: Clock
}

/** The exit code of a command, and the signal that ended it. */
export type Ending = Readonly<{ code: number; signal?: number }>

/** A running command and its terminal. */
export type Terminal = Readonly<{
  pid: number
  write(text: string): void
  resize(columns: number, rows: number): void
  onOutput(listener: (text: string) => void): void
  /** The command waits when it writes, until `resume`. */
  pause(): void
  resume(): void
  ended: Promise<Ending>
  /** Sends SIGHUP to the process group, and SIGKILL after five seconds. Resolves when the command has ended. */
  close(): Promise<void>
}>

/** Runs a command in a new pseudo-terminal. @throws when this build has no node-pty for this system */
export async function openTerminal({
  command,
  args,
  folder,
  env,
  columns = 80,
  rows = 24,
  clock,
}: TerminalStart): Promise<Terminal> {
  const { spawn } = await import('node-pty')
  const pty = spawn(command, [...args], { name: 'xterm-256color', cwd: folder, env, cols: columns, rows })
  let isOver = false
  const ended = new Promise<Ending>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      isOver = true
      // What it began in the background would go on. node-pty makes the command the leader of a session, and of its group.
      signalGroup(pty.pid, 'SIGKILL')
      resolve({ code: exitCode, ...(signal !== undefined && signal !== 0 && { signal }) })
    })
  })
  return {
    pid: pty.pid,
    write: (text) => pty.write(text),
    resize: (width, height) => pty.resize(width, height),
    onOutput: (listener) => void pty.onData(listener),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    ended,
    close: async () => {
      if (isOver) return
      // A paused terminal does not notice the end.
      pty.resume()
      await endGroup({ leader: pty.pid, ended, clock })
    },
  }
}
