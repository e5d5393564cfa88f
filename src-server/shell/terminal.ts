// Opens pseudo-terminals. No other file uses node-pty.

/** A command to run in a terminal. */
export type TerminalStart = {
  command: string
  args: readonly string[]
  folder: string
  /** The whole environment of the command: nothing of the server's own is added. */
  env: Readonly<Record<string, string>>
  columns?: number
  rows?: number
}

/** The exit code of a command, and the signal that ended it. */
export type Ending = Readonly<{ code: number; signal?: number }>

/** A running command and its terminal. */
export type Terminal = Readonly<{
  pid: number
  write(text: string): void
  resize(columns: number, rows: number): void
  onOutput(listener: (text: string) => void): void
  ended: Promise<Ending>
  /** Sends SIGHUP to the process group: the command and its children end. */
  close(): void
}>

/** Runs a command in a new pseudo-terminal. @throws when this build has no node-pty for this system */
export async function openTerminal({ command, args, folder, env, columns = 80, rows = 24 }: TerminalStart): Promise<Terminal> {
  const { spawn } = await import('node-pty')
  const pty = spawn(command, [...args], { name: 'xterm-256color', cwd: folder, env, cols: columns, rows })
  let isOver = false
  const ended = new Promise<Ending>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      isOver = true
      resolve({ code: exitCode, ...(signal !== undefined && signal !== 0 && { signal }) })
    })
  })
  return {
    pid: pty.pid,
    write: (text) => pty.write(text),
    resize: (width, height) => pty.resize(width, height),
    onOutput: (listener) => void pty.onData(listener),
    ended,
    close: () => {
      if (!isOver) hangUp(pty.pid)
    },
  }
}

/** node-pty makes the command the leader of a session, so its pid is also that of the process group. */
function hangUp(pid: number) {
  try {
    process.kill(-pid, 'SIGHUP')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
