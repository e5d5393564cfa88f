// `holdall import FILE --root DIR`: shows what of File Browser comes over, and brings it into a state.

import { dirname } from 'node:path'
import { bcryptCost } from './base/bcrypt-text.ts'
import { systemClock } from './base/clock.ts'
import { Failure } from './base/failure.ts'
import type { Path } from './base/paths.ts'
import { runningUser } from './base/running-user.ts'
import { StartupError } from './base/startup-error.ts'
import type { Disk } from './disk/disk.ts'
import { type DiskSystem, diskSystem } from './disk/system.ts'
import { linksOut } from './import/links-out.ts'
import { type ImportPlan, makePlan } from './import/plan.ts'
import { forShell, type PlanNote, visible } from './import/plan-notes.ts'
import { planJson, planNotice, planText } from './import/plan-text.ts'
import { aboutUser } from './import/plan-users.ts'
import { readSources } from './import/read-source.ts'
import type { RootFacts } from './import/root-facts.ts'
import { importer, type MovedRoot, movedRoot, onRoot, readable, rootIdentityOn } from './imported-root.ts'
import type { ImportRequest } from './options/import-options.ts'
import type { Options } from './options/options.ts'
import { locate } from './shares/locate.ts'
import { BesideFiles } from './state/beside-files.ts'
import { Unsynced } from './state/durable-file.ts'
import {
  type ImportedRecords,
  noRecords,
  type PresentRecords,
  presentRecords,
  stateText,
  stateWith,
} from './state/import-commands.ts'
import { State } from './state/state.ts'
import type { StateData } from './state/state-data.ts'
import { type BcryptEngine, bcryptEngine } from './users/bcrypt.ts'
import { shortestPassword } from './users/password-rules.ts'

type ImportParts = Readonly<{
  options: Pick<Options, 'root' | 'linksInto' | 'database' | 'rootMoved'>
  request: ImportRequest
  /** Whether the server starts afterwards by itself. */
  isStarting?: boolean
  /** Seconds since the epoch. */
  now?: number
  /** Tests replace both. */
  system?: DiskSystem
  bcrypt?: BcryptEngine
}>

type Print = (text: string) => void

/**
 * Prints the plan of an import and, unless it is only to be shown, brings what it says into the state.
 * @returns the exit code: 2 when something must be answered first
 * @throws StartupError with one sentence for what cannot be read or written; then nothing has changed
 */
export async function importDatabase(parts: ImportParts, print: Print): Promise<number> {
  const { options, request } = parts
  const source = readSources(request.files)
  const now = parts.now ?? Math.floor(systemClock.now() / 1000)
  const present = presentIn(options.database)
  if (present.users.length > 0 && request.into === undefined)
    throw new StartupError(
      `${options.database} has users already: add --merge to keep them, or --replace to have those of the import in their place.`,
    )
  let place = `the root ${options.root} cannot be read`
  try {
    const isMerge = request.into === 'merge'
    // Users of one state cannot have scopes in two folders.
    const moved = request.into === 'replace' ? undefined : await movedRoot(present.imported.at(-1), options)
    const { plan, rootIdentity } = await onRoot(options, async (disk, signal) => {
      // Those that go leave their names and hashes, but not their ids, under which things of theirs may lie.
      const counted = isMerge ? present : { ...present, users: [], hashes: [], imported: [] }
      const context = {
        facts: factsOn(disk, options, signal),
        answers: request,
        now,
        present: counted,
        keepsSettings: isMerge,
      }
      return {
        plan: await withoutGuessed(replacing(await makePlan(source, context), present, request), parts),
        rootIdentity: await rootIdentityOn(disk),
      }
    })
    print(request.isJson ? planJson(plan) : planText(plan))
    if (plan.stops.length > 0) return 2
    const records = { ...recordsOf(plan, { ...parts, rootIdentity, now }), ...(moved && { moved }) }
    // Before anything is written: what the next start could not read.
    const whole = stateWith(options.database, records)
    if (request.isDryRun) return 0
    place = `the folder of the state, ${dirname(options.database)}, cannot be written`
    await write({ ...parts, plan, records, whole, moved, now }, print)
    return 0
  } catch (cause) {
    throw notImported(cause, place)
  }
}

/** @param place what cannot be read or written, where the system says no more */
function notImported(cause: unknown, place: string): unknown {
  // That of the disk is behind a refusal.
  const code = errnoOf(cause) ?? (cause instanceof Failure ? errnoOf(cause.cause) : undefined)
  const isRefusal = cause instanceof Failure || cause instanceof Unsynced || code !== undefined
  if (!isRefusal) return cause
  if (cause instanceof Failure && cause.code === 'conflict')
    return new StartupError('Nothing was imported: the state was changed meanwhile. Import again.', { cause })
  const reason = cause instanceof Failure && code === undefined && cause.message !== '' ? cause.message : undefined
  const failed = code === undefined ? place : `${place} (${code})${adviceOn(code, place)}`
  return new StartupError(`Nothing was imported: ${reason ?? failed}.`, { cause })
}

const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && /^E[A-Z0-9]+$/.test(String(error.code)) ? String(error.code) : undefined

function adviceOn(code: string, place: string): string {
  const right = place.endsWith('read') ? 'read it' : 'write it, or name a state elsewhere with --database'
  const advice: Readonly<Record<string, string>> = {
    EACCES: `: ${runningUser()} needs the right to ${right}`,
    EPERM: `: ${runningUser()} needs the right to ${right}`,
    EROFS: ': it is on a disk that can only be read: name a state elsewhere with --database',
    ENOSPC: ': make room on its disk',
  }
  return advice[code] ?? ''
}

/** Those of a state go only where others take their place: its links and sessions go with them. */
function replacing(plan: ImportPlan, { users }: PresentRecords, { into }: ImportRequest): ImportPlan {
  if (into !== 'replace' || users.length === 0 || plan.users.length > 0 || plan.stops.length > 0) return plan
  const sentence =
    'No users come, and --replace would remove all that are here: name the file of users export too, or the database'
  return { ...plan, stops: [sentence] }
}

/** What File Browser gave its first administrator. */
const firstPassword = 'admin'

/** Checks of cost 10: some seconds. */
const mostGuesses = 200

/** Takes away the passwords that everybody tries first, and says what nobody can see of the others. */
async function withoutGuessed(
  plan: ImportPlan,
  { options, bcrypt = bcryptEngine }: Pick<ImportParts, 'options' | 'bcrypt'>,
): Promise<ImportPlan> {
  // Those of administrators are looked for before the others.
  const inOrder = plan.users.filter(({ password }) => password !== '').toSorted((one, other) => rank(one) - rank(other))
  let left = mostGuesses
  const tried = inOrder.filter(({ password }) => {
    left -= 2 ** ((bcryptCost(password) ?? 0) - 10)
    return left >= 0
  })
  const checks = tried.map(async (user) => ((await bcrypt.verify(firstPassword, user.password)) ? [user] : []))
  const found = new Set((await Promise.all(checks)).flat())
  const text = `has the password "${firstPassword}", which is tried first by whoever finds the server: it does not come, and nobody can sign in until there is another one, by an administrator or by ${resetCommand(options)}, while no server runs`
  const notes: PlanNote[] = [...found].map(({ username }) => ({ kind: 'changed', about: aboutUser(username), text }))
  const look = (text: string) => notes.push({ kind: 'look', about: 'the passwords', text })
  const untried = inOrder.length - tried.length
  if (untried > 0) look(`${untried} of them were not tried with "${firstPassword}": it takes too long`)
  if (found.size < inOrder.length)
    look(`how long they are cannot be seen: those of less than ${shortestPassword} characters stay until they are changed`)
  const users = plan.users.map((user) => (found.has(user) ? { ...user, password: '' } : user))
  return { ...plan, users, notes: [...plan.notes, ...notes] }
}

const rank = ({ perm }: ImportPlan['users'][number]) => (perm.admin ? 0 : 1)

function presentIn(database: string): PresentRecords {
  const present = presentRecords(database)
  if ('reason' in present)
    throw new StartupError(`The state ${database} ${present.reason}: mend that, or name another file with --database.`)
  return present
}

type AddedRecords = ImportedRecords & { replaces: boolean }

function recordsOf(
  plan: ImportPlan,
  { options, request, rootIdentity, now }: ImportParts & Readonly<{ rootIdentity: string; now: number }>,
): AddedRecords {
  return {
    users: plan.users.map(({ idThere: _, ...user }) => ({ ...user, changedAt: now })),
    links: plan.links.map((link) => ({ ...link, createdAt: now })),
    ...(plan.settings && { settings: plan.settings }),
    lastUserId: plan.lastUserId,
    from: {
      source: plan.source,
      at: now,
      root: options.root,
      rootIdentity,
      users: plan.users.map(({ idThere, id }) => [idThere, id]),
      notice: planNotice(plan),
    },
    replaces: request.into === 'replace',
  }
}

type WriteParts = ImportParts &
  Readonly<{
    plan: ImportPlan
    records: AddedRecords
    /** The state with them. */
    whole: StateData
    moved: MovedRoot | undefined
    now: number
  }>

async function write(parts: WriteParts, print: Print) {
  const { options, request, plan, records, whole, moved, now, system = diskSystem, isStarting = false } = parts
  // Scripts read one JSON text, which is printed.
  const say: Print = request.isJson ? () => {} : print
  const isMerge = request.into === 'merge'
  const isNothing = isMerge && plan.users.length === 0 && plan.links.length === 0
  const nothingNew = 'Nothing of it is new.\n'
  if (isNothing && moved === undefined) return say(nothingNew)
  const isNew = presentIn(options.database) === noRecords
  const beside = new BesideFiles(options.database, { now, system })
  // A new state is written once, with all that is in it.
  const opened = { file: options.database, clock: systemClock, system }
  const state = isNew ? undefined : await State.open(opened)
  try {
    if (isNothing) {
      if (moved !== undefined) await state?.run('moveRoot', moved)
      return say(nothingNew)
    }
    const before = request.into === 'replace' ? stateText(options.database) : undefined
    if (before !== undefined)
      say(`\nWhat was there before is kept in ${await beside.add(`before-import-${beside.time}`, '', before)}.\n`)
    // Before the records: what a break leaves behind is then a file that nothing names, and that the next import takes for its own.
    const config = isMerge ? beside.existing('config', '.json') : await writeOptions(beside, plan)
    const usual = beside.existing('config', '.json')
    if (isStarting && usual !== config)
      throw new StartupError(
        `Nothing was imported: ${usual}, with which the server would start, is of another state: move it away.`,
      )
    if (state === undefined) await makeState(opened, whole)
    else await state.run('importRecords', records)
    const paths = { root: options.root, database: options.database, ...(config !== undefined && { config }) }
    const all = [...Object.entries(paths), ...options.linksInto.map((folder) => ['links-into', folder] as const)]
    const flags = all.map(([name, path]) => `--${name} ${forShell(path)}`)
    say(`\nAll of it is in ${options.database}.${isStarting ? '' : ` Start with: holdall ${flags.join(' ')}`}\n`)
    if (!isMerge) say(lockedOut(plan, options))
  } finally {
    await state?.close()
  }
}

/** @throws Failure('conflict') when somebody has made one meanwhile */
async function makeState(opened: Parameters<typeof State.open>[0], whole: StateData): Promise<void> {
  const state = await State.open({ ...opened, make: () => whole })
  const { instance } = state
  await state.close()
  if (instance !== whole.instance) throw new Failure('conflict')
}

/** What gives somebody a password. A name that a terminal or the command line would not take as it is is not printed. */
function resetCommand({ database }: Pick<Options, 'database'>, username = 'NAME'): string {
  const name = visible(username) === username && !username.startsWith('-') ? forShell(username) : 'NAME'
  return `holdall --database ${forShell(database)} --reset-password ${name}`
}

/** Where no administrator of a plan has a password: how one gets one. */
function lockedOut({ users }: ImportPlan, options: Pick<Options, 'database'>): string {
  const administrators = users.filter(({ perm }) => perm.admin)
  const [first] = administrators
  if (first === undefined || administrators.some(({ password }) => password !== '')) return ''
  return `No administrator can sign in. Before the start, this gives a password: ${resetCommand(options, first.username)}\n`
}

/** @returns the file of the options; undefined without any */
async function writeOptions(beside: BesideFiles, { server }: ImportPlan): Promise<string | undefined> {
  const { options, captchaSecret } = server
  if (Object.keys(options).length === 0) return undefined
  const secret = captchaSecret === undefined ? undefined : await beside.add('captcha-secret', '', `${captchaSecret}\n`)
  const all = { ...options, ...(secret !== undefined && { 'captcha-secret-file': secret }) }
  return beside.add('config', '.json', `${JSON.stringify(all, undefined, 2)}\n`)
}

function factsOn(disk: Disk, { root, linksInto }: ImportParts['options'], signal: AbortSignal): RootFacts {
  const names = new KnownNames()
  const isAllowed = (folder: string) => linksInto.some((allowed) => folder === allowed || folder.startsWith(`${allowed}/`))
  return {
    root,
    linksOut: () => linksOut(root, isAllowed),
    isFolder: async (path) => (await orMissing(disk.stat(readable(path))))?.isDir ?? false,
    namesIn: (path) => names.of(path, async () => ((await orMissing(disk.list(readable(path)))) ?? []).map(({ name }) => name)),
    target: (path) => orMissing(locate({ principal: importer, disk, signal }, path, () => {})),
  }
}

/** Names in folders, of the last ones that were asked for. */
class KnownNames {
  readonly #known = new Map<Path, readonly string[]>()
  #count = 0

  async of(path: Path, read: () => Promise<readonly string[]>): Promise<readonly string[]> {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    const names = await read()
    this.#count += names.length + 1
    if (this.#count > mostNames) {
      this.#known.clear()
      this.#count = names.length + 1
    }
    this.#known.set(path, names)
    return names
  }
}

/** Some tens of megabytes. */
const mostNames = 200_000

async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Failure && ['notFound', 'forbidden', 'invalid'].includes(error.code)) return undefined
    throw error
  }
}
