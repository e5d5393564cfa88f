// Pseudo-terminals: the only place that opens one.

export type TerminalStart = {
  command: string
  args: readonly string[]
  folder: string
  /** All that the command sees: nothing of the server's own environment is added. */
  env: Readonly<Record<string, string>>
  columns?: number
  rows?: number
}

export type Ending = Readonly<{ code: number; signal?: number }>

/** A command with a terminal of its own. */
export type Terminal = Readonly<{
  pid: number
  write(text: string): void
  resize(columns: number, rows: number): void
  onOutput(listener: (text: string) => void): void
  ended: Promise<Ending>
  /** Hangs up: the command and whatever it started in its process group end. */
  close(): void
}>

/** @throws when this build has no node-pty for the system it runs on */
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

/** node-pty makes the command the leader of a session, so its number names the group as well. */
function hangUp(pid: number) {
  try {
    process.kill(-pid, 'SIGHUP')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
