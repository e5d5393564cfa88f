// Runs commands as somebody types them: while a server runs on the state, or after it was stopped, also for a state of another owner.
import assert from 'node:assert/strict'
import { chownSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Console } from '../../src-server/cli/console.ts'
import { listenForOperator } from '../../src-server/listen-for-operator.ts'
import { stop } from '../../src-server/listening.ts'
import { readOptions } from '../../src-server/options/read-options.ts'
import { runCommand } from '../../src-server/run-command.ts'
import type { StateData, StateDraft } from '../../src-server/state/state-data.ts'
import { Passwords } from '../../src-server/users/passwords.ts'
import { type AppSetup, startApp, type TestApp } from './start-app.ts'
import { cheapCost } from './start-state.ts'

export type Typed = Readonly<{
  /** What is typed at questions, in turn. */
  typed?: readonly string[]
  /** The standard input. */
  input?: string
  isTerminal?: boolean
  /** The options of the server after the command; those that name state and root, unless given. */
  server?: readonly string[]
}>

export type Ran = Readonly<{ code: number; out: string; err: string; asked: string[]; written: Readonly<Record<string, string>> }>

/** @param folder of the state `state.json` and the root `files`; names of files that are read count from it */
export async function runCli(folder: string, argv: readonly string[], how: Typed = {}): Promise<Ran> {
  const { typed = [], input = '', isTerminal = true, server } = how
  const given = server ?? ['--database', join(folder, 'state.json'), '--root', join(folder, 'files')]
  const start = readOptions({
    ...{ argv: [...argv, ...given], env: {}, cwd: folder },
    ...{ location: { executable: join(folder, 'holdall') }, version: '1.0.0' },
  })
  if (start.kind !== 'command') throw new Error(`it is read as ${start.kind}`)
  let [out, err] = ['', '']
  const [asked, written, answers]: [string[], Record<string, string>, string[]] = [[], {}, [...typed]]
  const console: Console = {
    resolve: (file) => resolve(folder, file),
    print: (text) => {
      out += text
    },
    complain: (line) => {
      err += `${line}\n`
    },
    isTerminal,
    askHidden: async (question) => {
      asked.push(question)
      return answers.shift() ?? ''
    },
    read: async (file) => (file === '-' ? input : readFileSync(join(folder, file), 'utf8')),
    write: (file, text) => {
      written[file] = text
    },
  }
  const passwords = new Passwords({ cost: cheapCost })
  const code = await runCommand({ ...start, passwords, patienceMilliseconds: 0 }, console)
  return { code, out, err, asked, written }
}

export type CliPlace = Readonly<{
  app: TestApp
  isRunning: boolean
  cli(...argv: string[]): Promise<Ran>
  cliWith(how: Typed, ...argv: string[]): Promise<Ran>
  /** What `--json` gives. */
  json(...argv: string[]): Promise<unknown>
  /** The state as it is on the disk. */
  stored(): StateData
  /** Changes it as something else would. */
  edit(change: (draft: StateDraft) => void): Promise<void>
}>

/** Somebody else than root. */
const other = 65_534

const isRoot = process.getuid?.() === 0

/** Two tests of a command: with a server that runs, and with one that was stopped, whose state is somebody else's where we are root. */
export function testCommand(name: string, setup: AppSetup, work: (place: CliPlace, t: TestContext) => Promise<void>): void {
  test(`${name}: with a running server`, async (t) => work(await place(t, setup, true), t))
  test(`${name}: with a stopped one`, async (t) => {
    const there = await place(t, setup, false)
    const { folder } = there.app
    if (isRoot) for (const path of allBelow(folder)) chownSync(path, other, other)
    await work(there, t)
    if (!isRoot) return
    const foreign = allBelow(folder).filter((path) => lstatSync(path).uid !== other && !path.endsWith('.mine'))
    assert.deepEqual([foreign, process.geteuid?.()], [[], 0])
  })
}

const allBelow = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
]

async function place(t: TestContext, setup: AppSetup, isRunning: boolean): Promise<CliPlace> {
  const app = await startApp(t, setup)
  const { folder, parts, root } = app
  if (isRunning) {
    const close = await listenForOperator(
      parts,
      { root, linksInto: [], authMethod: 'json' } as unknown as Parameters<typeof listenForOperator>[1],
      app.clock,
    )
    app.beforeClose(close)
  } else {
    await stop(parts.app, 1000)
    await parts.close()
  }
  const cliWith = (how: Typed, ...argv: string[]) => runCli(folder, argv, how)
  const stored = () => JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))
  const cli = (...argv: string[]) => runCli(folder, argv)
  return {
    ...{ app, isRunning, cli, cliWith },
    json: async (...argv) => {
      const { code, out, err } = await cli(...argv, '--json')
      if (code !== 0) throw new Error(err)
      return JSON.parse(out)
    },
    stored,
    edit: async (change) => {
      if (isRunning) return parts.state.change('other', (draft) => void change(draft))
      const draft = stored()
      change(draft)
      writeFileSync(join(folder, 'state.json'), JSON.stringify(draft))
    },
  }
}
