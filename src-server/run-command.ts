// `holdall users add NAME` and the other commands that use the state: by the server that runs, or with its lock.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartupError } from './base/startup-error.ts'
import type { CommandParts, StateCopies } from './cli/command.ts'
import { commands } from './cli/commands.ts'
import type { Console } from './cli/console.ts'
import { type Answer, lineOf } from './control/calls.ts'
import { connectToServer } from './control/control-client.ts'
import { visible } from './import/plan-notes.ts'
import type { Options } from './options/options.ts'
import type { StateRequest } from './options/subcommand-line.ts'
import { isServed } from './pages/branding-folder.ts'
import { backUpState } from './state/back-up-state.ts'
import { resolveFile } from './state/durable-file.ts'
import { StateHeld } from './state/lock.ts'
import { restoreState } from './state/restore-state.ts'
import { openStopped } from './stopped-state.ts'
import type { Passwords } from './users/passwords.ts'

export type CommandStart = Readonly<{
  options: Options
  request: StateRequest
  /** What to say of a spelling of File Browser. */
  note?: string
  /** Tests make cheap ones, and wait for less. */
  passwords?: Passwords
  patienceMilliseconds?: number
}>

/** Milliseconds for which a server that starts or ends is waited for. */
const usualPatience = 5000
const interval = 100

/** @returns the exit code @throws StartupError for what cannot be used */
export async function runCommand(start: CommandStart, console: Console): Promise<0 | 1> {
  const { request, note } = start
  if (note !== undefined) console.complain(note)
  const reached = new Reached(start, console)
  try {
    const parts: CommandParts = {
      args: request.args,
      flag: (name) => request.flags.get(name),
      ask: (call, input) => reached.ask(lineOf(call, input)) as never,
      console,
      copies: copiesFor(start.options, console),
    }
    const { value, text, code = 0, file } = await commands[request.name](parts).finally(() => reached.close())
    if (file) console.write(file.path, file.text)
    console.print(request.flags.has('json') ? `${plainJson(value)}\n` : text)
    return code
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.complain(`${visible(error.message).replace(/\.$/, '')}.`)
    return 1
  }
}

/** With nothing that a terminal would obey: names and notes are those of others. */
const plainJson = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(/[^\P{C}\n]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

/** They are made of files alone, so that it does not matter whether a server runs: it only says what it serves. */
function copiesFor(options: Options, console: Console): StateCopies {
  const { database } = options
  const backUp: StateCopies['backUp'] = async (target) => {
    const [file, folder] = [stateFileOf(database), console.resolve(target)]
    const above = existsSync(folder) ? folder : dirname(folder)
    const isServedThere = await servedBy(file, above, options)
    if (isServedThere)
      throw new StartupError(
        `${folder} is in the served folder, where people with the right to download could read it: name another one.`,
      )
    if (isServedThere === undefined)
      console.complain(
        `it is not known which folder is served, and a backup in it could be downloaded: with --root this is checked.`,
      )
    return backUpState(file, folder, Date.now())
  }
  return { backUp, restore: async (folder) => restoreState(fileOf(database), console.resolve(folder), Date.now()) }
}

/** @returns undefined when it is not known which folder is served */
async function servedBy(file: string, path: string, { root, linksInto, isRootNamed }: Options): Promise<boolean | undefined> {
  if (isRootNamed && [root, ...linksInto].some((folder) => isServed(path, folder))) return true
  const server = await connected(file)
  if (!server) return isRootNamed ? false : undefined
  try {
    const { result } = JSON.parse(await server.ask(lineOf('files.serves', { path: realpathOf(path) }))) as Answer
    return typeof result === 'boolean' ? result : undefined
  } finally {
    server.close()
  }
}

/** What is not there is served by nobody. */
function realpathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** The state refuses it. */
class Refused extends Error {}

type Way = Readonly<{ answer(line: string): Promise<string>; close(): void | Promise<void> }>

/** The way to the state, which is found at the first call. */
class Reached {
  readonly #start: CommandStart
  readonly #console: Console
  #way: Promise<Way> | undefined

  constructor(start: CommandStart, console: Console) {
    this.#start = start
    this.#console = console
  }

  async ask(line: string): Promise<unknown> {
    this.#way ??= findWay(this.#start, this.#console)
    const way = await this.#way
    const answered = await way.answer(line).catch((cause) => {
      throw new Refused('the server has ended the connection: look whether it was done, and try again', { cause })
    })
    const { result, refusal, fault } = JSON.parse(answered) as Answer
    if (refusal !== undefined) throw new Refused(refusal)
    if (fault !== undefined) throw new Refused(`it failed (${fault}); the log of the server says more, when one runs`)
    return result
  }

  async close(): Promise<void> {
    await (await this.#way?.catch(() => undefined))?.close()
  }
}

async function findWay(start: CommandStart, console: Console): Promise<Way> {
  const { options, patienceMilliseconds = usualPatience } = start
  const file = stateFileOf(options.database)
  const until = performance.now() + patienceMilliseconds
  for (;;) {
    const server = await connected(file)
    if (server) return { answer: (line) => server.ask(line), close: () => server.close() }
    try {
      return await openStopped({ ...start, options: { ...options, database: file }, complain: (line) => console.complain(line) })
    } catch (error) {
      // A server that starts has the lock and does not listen yet; one that ends listens no more.
      if (!(error instanceof StateHeld) || performance.now() >= until) throw error
    }
    await delay(interval)
  }
}

async function connected(file: string) {
  try {
    return await connectToServer(file, statSync(file).uid)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    const advice = code === 'EACCES' || code === 'EPERM' ? ': run this as the user of the server, or as root' : ''
    throw new StartupError(`The server of ${file} cannot be reached (${code})${advice}.`, { cause })
  }
}

/** With links resolved. @throws StartupError without one: a command makes none */
function stateFileOf(database: string): string {
  const file = fileOf(database)
  try {
    statSync(file)
    return file
  } catch (cause) {
    throw noState(database, cause)
  }
}

/** The same of one that need not exist. */
function fileOf(database: string): string {
  try {
    return resolveFile(database)
  } catch (cause) {
    throw noState(database, cause)
  }
}

function noState(database: string, cause: unknown): StartupError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return new StartupError(`${database} cannot be read (${code}).`, { cause })
  return new StartupError(`There is no state file ${database}: name it with --database, or start the server once.`, { cause })
}
