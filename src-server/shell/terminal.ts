// Opens pseudo-terminals. No other file uses node-pty.
import type { Duplex } from 'node:stream'
import type { IPty } from 'node-pty'
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
  readToTheEnd(pty, clock)
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

/** Milliseconds for which output is read after the end, when a process outside the group holds the terminal open. */
const drainTime = 500

/**
 * 200 ms after the end of a program node-pty destroys the stream of its output, unread as it may be while it is paused. Here it is
 * read first: the system holds a few kilobytes, and closes the stream after them.
 */
function readToTheEnd(pty: IPty, clock: Clock): void {
  const { _socket: stream } = pty as unknown as { _socket: Duplex }
  const destroy = stream.destroy.bind(stream)
  stream.destroy = (error) => {
    stream.destroy = destroy
    if (!stream.isPaused()) return destroy(error)
    // What it began in the background would go on writing.
    signalGroup(pty.pid, 'SIGKILL')
    stream.once(
      'close',
      clock.after(drainTime, () => destroy(error)),
    )
    stream.resume()
    return stream
  }
}
