// The folder, servers and tools of one row, and their removal when it ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { StateData } from '../../src-server/state/state-data.ts'
import { administratorPassword, executablePath, listening } from '../../test/support/start-executable.ts'

const home = resolve(import.meta.dirname, '../../out/bench')
const runFolder = join(home, `run-${process.pid}`)
const children = new Set<ChildProcess>()
let isClosed = false

/** A second user, with the administrator's permissions and password. */
export const otherPerson = 'other'
/** More users like the second one. */
export const manyPeople = Array.from({ length: 50 }, (_, index) => `person ${index + 1}`)

export type Server = Readonly<{
  url: string
  pid: number
  /** Seconds from the start of the process to the line that says where it listens. */
  untilListening: number
  stop(): Promise<void>
}>

export type Workplace = Readonly<{
  /** The served folder; other files are in `folder`. */
  root: string
  folder: string
  /** @param change of the state with which it starts */
  start(change?: (state: StateData) => StateData): Promise<Server>
  /** Ends servers and tools and removes the files. */
  close(): Promise<void>
}>

export async function openWorkplace(name: string): Promise<Workplace> {
  if (isClosed) throw new Error('the bench has ended')
  const folder = join(runFolder, name)
  const root = join(folder, 'files')
  await mkdir(root, { recursive: true })
  const close = async () => {
    await endChildren()
    await rm(folder, { recursive: true, force: true })
  }
  return { folder, root, start: (change) => startServer(folder, root, change), close }
}

/** Ends the child at the latest when the row ends. */
export function keep<Child extends ChildProcess>(child: Child): Child {
  children.add(child)
  child.once('exit', () => children.delete(child))
  if (isClosed) child.kill('SIGKILL')
  return child
}

/** Ends all processes of the benchmark, removes its files, and prevents new ones. */
export async function closeAll(): Promise<void> {
  isClosed = true
  await endChildren()
  await rm(runFolder, { recursive: true, force: true })
}

/** Removes the folders of runs that were killed. */
export async function removeStaleRuns(): Promise<void> {
  for (const name of await readdir(home).catch(() => [])) {
    const pid = /^run-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) await rm(join(home, name), { recursive: true, force: true })
  }
}

async function endChildren() {
  await Promise.all([...children].map((child) => end(child, 'SIGKILL')))
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function startServer(folder: string, root: string, change = (state: StateData) => state): Promise<Server> {
  const own = await mkdtemp(join(folder, 'server-'))
  const state = join(own, 'holdall.json')
  const before = JSON.parse(await readFile(await preparedState(), 'utf8')) as StateData
  await writeFile(state, JSON.stringify(change(before)))
  return launch(own, root, state)
}

async function launch(folder: string, root: string, state: string): Promise<Server> {
  const started = performance.now()
  const args = ['--root', root, '--port', '0', '--database', state, '--log', 'warn', '--log-format', 'json']
  const env = { HOLDALL_ADMIN_PASSWORD: administratorPassword }
  const child = keep(spawn(executablePath(), args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const { url } = await listening(child)
  const untilListening = (performance.now() - started) / 1000
  return { url, pid: child.pid as number, untilListening, stop: () => end(child, 'SIGTERM') }
}

let prepared: Promise<string> | undefined

/** A state with two users: the first start of a server hashes a password, which must not be measured. */
function preparedState(): Promise<string> {
  prepared ??= prepareState()
  return prepared
}

async function prepareState() {
  const folder = join(runFolder, 'state')
  const state = join(folder, 'holdall.json')
  await mkdir(join(folder, 'files'), { recursive: true })
  await (await launch(folder, join(folder, 'files'), state)).stop()
  const data = JSON.parse(await readFile(state, 'utf8')) as { lastUserId: number; users: { id: number }[] }
  for (const username of [otherPerson, ...manyPeople]) {
    data.lastUserId += 1
    data.users.push({ ...data.users[0], id: data.lastUserId, username } as { id: number })
  }
  const file = join(runFolder, 'state.json')
  await writeFile(file, JSON.stringify(data))
  return file
}

/** @returns a token */
export async function signIn(url: string, username = 'admin'): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ username, password: administratorPassword }),
  })
  if (!answer.ok) throw new Error(`the sign-in of ${username} was answered ${answer.status}`)
  return answer.text()
}
