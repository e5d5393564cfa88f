// Starts the packaged executable as a process in a new folder, on any free port.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const top = resolve(import.meta.dirname, '../..')

/** Long enough for all rules about passwords. */
export const administratorPassword = 'correct horse battery staple'

export type Running = {
  url: string
  pid: number
  folder: string
  root: string
  /** The output of the process so far. */
  output(): string
  /** Sends SIGTERM and waits for the exit. @returns the exit code or signal */
  stop(): Promise<number | NodeJS.Signals>
  /** Stops it and removes its folder. */
  close(): Promise<void>
}

/** The executable that `scripts/package.ts` makes. @throws when it does not exist */
export function executablePath(): string {
  const path = resolve(top, process.env.HOLDALL_TEST_EXECUTABLE ?? 'out/holdall-linux-x64')
  if (!existsSync(path)) throw new Error(`${path} is missing: run "npm run package" first`)
  return path
}

/** Makes a new folder below `out/`, which may hold large files. */
export async function makeWorkFolder(): Promise<string> {
  await mkdir(join(top, 'out/test'), { recursive: true })
  return mkdtemp(join(top, 'out/test/run-'))
}

/**
 * @param args flags in addition to `--root`, `--port` and `--database`
 * @param workFolder that of a server that has stopped, of which the state and the files are used again
 */
export async function startExecutable(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  workFolder?: string,
): Promise<Running> {
  const folder = workFolder ?? (await makeWorkFolder())
  const root = join(folder, 'files')
  await mkdir(root, { recursive: true })
  const child = spawn(
    executablePath(),
    ['--root', root, '--port', '0', '--database', stateFile(folder), '--log-format', 'json', ...args],
    { cwd: folder, env: { HOLDALL_ADMIN_PASSWORD: administratorPassword, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const { output, url } = await listening(child)
  const stop = () => stopProcess(child)
  return {
    url,
    pid: child.pid as number,
    folder,
    root,
    output,
    stop,
    close: async () => {
      await stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

/** Waits until the process prints its URL. @throws with the output when it exits before that */
export async function listening(child: ChildProcess): Promise<{ url: string; output(): string }> {
  let text = ''
  const output = () => text
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk
      const url = /https?:\/\/[^\s"]*:\d+[^\s"]*/.exec(text)?.[0]
      if (url) resolve({ url: url.replace(/\/$/, ''), output })
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code, signal) => reject(new Error(`the server ended with ${code ?? signal}:\n${text}`)))
    child.once('error', reject)
  })
}

/** The file of the state of a server in a work folder. */
export const stateFile = (folder: string): string => join(folder, 'holdall.json')

async function stopProcess(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  return (child.exitCode ?? child.signalCode) as number | NodeJS.Signals
}

/** Bytes of anonymous memory of a process, which excludes the mapped executable. */
export function anonymousMemory(pid: number): number {
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
