// `holdall import FILE --root DIR`: shows what of File Browser comes over, and brings it into a state.
import { systemClock } from './base/clock.ts'
import { Failure } from './base/failure.ts'
import type { Path } from './base/paths.ts'
import { StartupError } from './base/startup-error.ts'
import type { Disk } from './disk/disk.ts'
import { diskSystem } from './disk/system.ts'
import { linksOut } from './import/links-out.ts'
import { type ImportPlan, makePlan } from './import/plan.ts'
import { planJson, planText } from './import/plan-text.ts'
import { aboutUser } from './import/plan-users.ts'
import { readSources } from './import/read-source.ts'
import type { RootFacts } from './import/root-facts.ts'
import { checkImportedRoot, importer, onRoot, readable, rootIdentityOn } from './imported-root.ts'
import type { ImportRequest } from './options/import-options.ts'
import type { Options } from './options/options.ts'
import { locate } from './shares/locate.ts'
import { writeDurably } from './state/durable-file.ts'
import { noRecords, type PresentRecords, presentRecords, stateText } from './state/import-commands.ts'
import { State } from './state/state.ts'
import { bcryptEngine } from './users/bcrypt.ts'

type ImportParts = Readonly<{
  options: Pick<Options, 'root' | 'linksInto' | 'database'>
  request: ImportRequest
  /** Seconds since the epoch. */
  now?: number
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
  // A new state is made only when there is something to write.
  const isNew = presentIn(options.database) === noRecords
  const state = request.isDryRun || isNew ? undefined : await openState(options)
  try {
    const present = presentIn(options.database)
    // Users of one state cannot have scopes in two folders.
    if (state && request.into !== 'replace') await checkImportedRoot(state, options)
    if (present.usernames.length > 0 && request.into === undefined)
      throw new StartupError(
        `${options.database} has users already: add --merge to keep them, or --replace to have those of the import in their place.`,
      )
    const { plan, rootIdentity } = await onRoot(options, async (disk, signal) => {
      const isMerge = request.into === 'merge'
      // Those that go leave their names and hashes, but not their ids, under which things of theirs may lie.
      const counted = isMerge ? present : { ...present, usernames: [], hashes: [], imported: [] }
      const context = {
        facts: factsOn(disk, options, signal),
        answers: request,
        now,
        present: counted,
        keepsSettings: isMerge,
      }
      return { plan: await withGuessed(await makePlan(source, context)), rootIdentity: await rootIdentityOn(disk) }
    })
    print(request.isJson ? planJson(plan) : planText(plan))
    if (plan.stops.length > 0) return 2
    if (!request.isDryRun) await write(state ?? (await openState(options)), { ...parts, plan, rootIdentity, now }, print)
    return 0
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause
    throw new StartupError(`Nothing was imported: ${cause.message || 'the root or the state cannot be read or written'}.`, {
      cause,
    })
  } finally {
    await state?.close()
  }
}

/** What File Browser gave its first administrator. */
const firstPassword = 'admin'

/** Names the administrators whose password everybody tries first. */
async function withGuessed(plan: ImportPlan): Promise<ImportPlan> {
  const administrators = plan.users.filter(({ perm, password }) => perm.admin && password !== '').slice(0, 200)
  const checks = administrators.map(async ({ username, password }) =>
    (await bcryptEngine.verify(firstPassword, password)) ? [username] : [],
  )
  const text = `has the password "${firstPassword}", which is tried first by whoever finds the server: change it at once`
  const notes = (await Promise.all(checks)).flat().map((name) => ({ kind: 'look', about: aboutUser(name), text }) as const)
  return { ...plan, notes: [...plan.notes, ...notes] }
}

const openState = ({ database }: ImportParts['options']) => State.open({ file: database, clock: systemClock })

function presentIn(database: string): PresentRecords {
  const present = presentRecords(database)
  if (present === undefined) throw new StartupError(`${database} is no state of Holdall: name another file with --database.`)
  return present
}

type WriteParts = ImportParts & Readonly<{ plan: ImportPlan; rootIdentity: string; now: number }>

async function write(state: State, { options, request, plan, rootIdentity, now }: WriteParts, print: Print): Promise<void> {
  try {
    const isMerge = request.into === 'merge'
    if (isMerge && plan.users.length === 0 && plan.links.length === 0)
      return print(isJsonText(request, 'Nothing of it is new.\n'))
    const kept = request.into === 'replace' ? await keepState(options.database, now) : undefined
    if (kept !== undefined) print(isJsonText(request, `\nWhat was there before is kept in ${kept}.\n`))
    // Before the records: what is left behind by a break is then a file that nothing names.
    const config = isMerge ? undefined : await writeOptions(options.database, plan)
    await state.run('importRecords', {
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
      },
      replaces: request.into === 'replace',
    })
    const paths = { root: options.root, database: options.database, ...(config !== undefined && { config }) }
    const flags = Object.entries(paths).map(([name, path]) => `--${name} ${forShell(path)}`)
    print(isJsonText(request, `\nAll of it is in ${options.database}. Start with: holdall ${flags.join(' ')}\n`))
  } finally {
    await state.close()
  }
}

/** Backups are removed one after the other: what is replaced is kept in a file of its own. @returns its path; undefined without a state */
async function keepState(database: string, now: number): Promise<string | undefined> {
  const text = stateText(database)
  if (text === undefined) return undefined
  const file = `${database}.before-import-${new Date(now * 1000).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  await writeDurably(diskSystem, file, text, database)
  return file
}

/** A path as one word of a command line. */
const forShell = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

/** Scripts read one JSON text. */
const isJsonText = ({ isJson }: ImportRequest, text: string) => (isJson ? '' : text)

/** @returns the file of the options; undefined without any */
async function writeOptions(database: string, { server }: ImportPlan): Promise<string | undefined> {
  const { options, captchaSecret } = server
  if (Object.keys(options).length === 0) return undefined
  const [file, secret] = [`${database}.config.json`, `${database}.captcha-secret`]
  if (captchaSecret !== undefined) await writeDurably(diskSystem, secret, `${captchaSecret}\n`, database)
  const all = { ...options, ...(captchaSecret !== undefined && { 'captcha-secret-file': secret }) }
  await writeDurably(diskSystem, file, `${JSON.stringify(all, undefined, 2)}\n`, database)
  return file
}

function factsOn(disk: Disk, { root, linksInto }: ImportParts['options'], signal: AbortSignal): RootFacts {
  const names = new Map<Path, readonly string[]>()
  const isAllowed = (folder: string) => linksInto.some((allowed) => folder === allowed || folder.startsWith(`${allowed}/`))
  return {
    root,
    linksOut: () => linksOut(root).filter((folder) => !isAllowed(folder)),
    isFolder: async (path) => (await orMissing(disk.stat(readable(path))))?.isDir ?? false,
    namesIn: async (path) => {
      const known = names.get(path) ?? ((await orMissing(disk.list(readable(path)))) ?? []).map(({ name }) => name)
      names.set(path, known)
      return known
    },
    target: (path) => orMissing(locate({ principal: importer, disk, signal }, path, () => {})),
  }
}

async function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof Failure && ['notFound', 'forbidden', 'invalid'].includes(error.code)) return undefined
    throw error
  }
}
