import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import { isBolt, stateFor } from './bolt-beside.ts'
import { captchaOptions } from './captcha-options.ts'
import * as check from './checks.ts'
import { readCommandLine } from './command-line.ts'
import { completionsFor } from './completions.ts'
import { readConfigFile } from './config-file.ts'
import { type Environment, readEnvironment, takeAdminPassword } from './environment.ts'
import { readOldEnvironment } from './file-browser-options.ts'
import { helpText } from './help.ts'
import { type ImportRequest, importHelp, readImportCommand } from './import-options.ts'
import { logOptions } from './log-options.ts'
import { type OptionSource, OptionSources, type OptionValues } from './option-source.ts'
import type { OptionName } from './option-table.ts'
import { logFormats, type Options } from './options.ts'
import { helpOn, readSubcommand, type StateRequest, type SubcommandLine } from './subcommand-line.ts'
import type { StateCommand } from './subcommands.ts'

/** The real path of the executable, or the project's folder when the program runs from source. */
export type ProgramLocation = Readonly<{ executable: string } | { project: string }>

/** What the options are read from. */
export type StartContext = {
  /** Without the names of Node and of the script. */
  argv: readonly string[]
  /** `readOptions` removes the administrator's password from it. */
  env: Environment
  cwd: string
  location: ProgramLocation
  version: string
  /** Whether the log is written to a terminal. */
  isTerminal?: boolean
}

/** What the program is to do. */
export type Start =
  | Readonly<{ kind: 'serve'; options: Options }>
  | Readonly<{ kind: 'print'; text: string }>
  | Readonly<{ kind: 'self-test' }>
  | Readonly<{ kind: 'health'; options: Options }>
  | Readonly<{ kind: 'reset-password'; options: Options; username: string }>
  | Readonly<{ kind: 'import'; options: Options; request: ImportRequest }>
  | Readonly<{ kind: 'licenses' }>
  | Readonly<{ kind: 'command'; options: Options; request: StateRequest; note?: string }>

/**
 * Joins flags, environment, file and defaults, and checks them. Nothing is written.
 * @throws StartupError with one sentence that names the option and a valid value
 */
export function readOptions(context: StartContext): Start {
  const [command, ...rest] = context.argv
  if (command === 'import') return readImport({ ...context, argv: rest })
  const line = readSubcommand(context.argv)
  return line === undefined ? readServer(context) : readCommand(line, context)
}

function readCommand({ row, args, flags, serverArgv, isHelp, note }: SubcommandLine, context: StartContext): Start {
  if (isHelp) return { kind: 'print', text: helpOn([row.name]) }
  if (row.name === 'completions') return { kind: 'print', text: completionsFor(args[0] ?? '') }
  if (row.name === 'help') return { kind: 'print', text: helpOn(args) }
  const isServers = row.name === 'health' || row.name === 'licenses'
  const start = readServer({ ...context, argv: isServers ? [...serverArgv, `--${row.name}`] : serverArgv })
  if (start.kind !== 'serve') return start
  const request = { name: row.name as StateCommand, args, flags }
  return { kind: 'command', options: start.options, request, ...(note !== undefined && { note }) }
}

function readImport(context: StartContext): Start {
  const { request, serverArgv, isHelp } = readImportCommand(context.argv)
  if (isHelp) return { kind: 'print', text: importHelp() }
  // The working folder is seldom what File Browser served, and which folder it is decides what comes.
  if (!serverArgv.some((flag) => flag.startsWith('--root=')) && !context.env.HOLDALL_ROOT && !context.env.FB_ROOT)
    throw new StartupError('Name the folder that File Browser served: holdall import filebrowser.db --root DIR --dry-run.')
  const start = readServer({ ...context, argv: serverArgv })
  const folder = context.env.INIT_CWD ?? context.cwd
  const files = request.files.map((file) => resolve(folder, file))
  return start.kind === 'serve' ? { kind: 'import', options: start.options, request: { ...request, files } } : start
}

function readServer(context: StartContext): Start {
  const { argv, env } = context
  const adminPassword = takeAdminPassword(env)
  const old: string[] = []
  const flags = readCommandLine(argv, rightForm(env), (sentence) => old.push(sentence))
  if (flags.help !== undefined) return { kind: 'print', text: helpText() }
  if (flags.version !== undefined) return { kind: 'print', text: `holdall ${context.version}\n` }
  if (flags.licenses !== undefined) return { kind: 'licenses' }
  if (flags['self-test'] !== undefined) return { kind: 'self-test' }
  const { source: variables, warnings } = readEnvironment(env)
  // npm changes the working folder to the project's folder and sets INIT_CWD to the one before.
  const folder = env.INIT_CWD ?? context.cwd
  const given = new OptionSources([flags, variables])
  const { source: oldVariables, warnings: oldWarnings } = readOldEnvironment(env, (name) => given.one(name)?.from)
  const named = given.one('config') ?? importedConfig([flags, variables, oldVariables], folder, context)
  const configFile = named && resolve(folder, named.value)
  const file = named && configFile !== undefined ? readConfigFile(configFile, named.from) : {}
  const sources = new OptionSources([flags, variables, oldVariables, file])
  const serving = checked(sources, folder, context)
  const options = {
    ...serving,
    ...firstUser(sources),
    ...importing(sources),
    ...oldDatabases([flags, variables, oldVariables], folder),
    ...(adminPassword !== undefined && { adminPassword: () => adminPassword }),
    ...(configFile !== undefined && { configFile }),
    ...(flags['root-moved'] !== undefined && { rootMoved: true }),
    warnings: Object.freeze([...warnings, ...old, ...oldWarnings, ...riskOf(serving)]),
  }
  if (flags.health !== undefined) return { kind: 'health', options: Object.freeze(options) }
  const username = new OptionSources([flags]).one('reset-password')?.value
  if (username !== undefined) return { kind: 'reset-password', options: Object.freeze(options), username }
  return { kind: 'serve', options: Object.freeze(options) }
}

/** With --import-on-start the options that an import has written count as if --config named them. */
function importedConfig(values: readonly OptionValues[], folder: string, { location }: StartContext): OptionSource | undefined {
  const sources = new OptionSources(values)
  if (!sources.isOn('import-on-start')) return undefined
  // As an import names it.
  const file = `${databaseOf(sources, folder, location)}.config.json`
  return existsSync(file) ? { value: file, from: '--import-on-start, which reads' } : undefined
}

/** Which folder was served decides what comes, so that it is named, as for `holdall import`. */
function importing(sources: OptionSources): Pick<Options, 'importOnStart'> {
  if (!sources.isOn('import-on-start')) return {}
  if (sources.one('root') !== undefined) return { importOnStart: true }
  throw new StartupError('--import-on-start needs --root: name the folder that File Browser served.')
}

/** Databases of File Browser that are named where the state is, by whatever counts. */
function oldDatabases(values: readonly OptionValues[], folder: string): Pick<Options, 'oldDatabases'> {
  const named = values.flatMap((source) => source.database ?? []).map(({ value }) => resolve(folder, value))
  const found = [...new Set(named)].filter(isBolt)
  return found.length > 0 ? { oldDatabases: Object.freeze(found) } : {}
}

/** The hash is a function, so that printing the options does not show it. */
function firstUser(sources: OptionSources): Pick<Options, 'firstUsername' | 'firstPassword'> {
  const [username, password] = [sources.one('username'), sources.one('password')]
  return {
    ...(username && { firstUsername: username }),
    ...(password && { firstPassword: { from: password.from, hash: () => password.value } }),
  }
}

/** Without passwords everybody who can connect is the administrator. This may be intended, so it is only a warning. */
function riskOf({ authMethod, address, socket }: Omit<Options, 'warnings'>): string[] {
  const isPrivate = socket !== undefined || address === 'localhost' || address === '::1' || /^127\./.test(address)
  if (authMethod !== 'noauth' || isPrivate) return []
  return [`With --noauth everybody who reaches ${address} is the administrator.`]
}

/** Under npm the flags need a `--` before them: without it npm takes the flags itself and passes on only the values. */
function rightForm(env: Environment) {
  const script = env.npm_lifecycle_event
  return script === undefined ? 'holdall --root DIR' : `npm ${script === 'start' ? 'start' : `run ${script}`} -- --root DIR`
}

function checked(
  sources: OptionSources,
  folder: string,
  { location, isTerminal = false }: StartContext,
): Omit<Options, 'warnings'> {
  const one = <T>(name: OptionName, read: (given: OptionSource) => T, otherwise: T) => {
    const given = sources.one(name)
    return given === undefined ? otherwise : read(given)
  }
  const many = <T>(name: OptionName, read: (given: OptionSource) => T) => Object.freeze(sources.all(name).map(read))
  const path = (read: (given: OptionSource) => string) => (given: OptionSource) =>
    read({ ...given, value: resolve(folder, given.value) })
  const database = databaseOf(sources, folder, location)
  const adminPasswordFile = one(
    'admin-password-file',
    path(({ value }) => value),
    undefined,
  )
  const auditLog = one('audit-log', path(check.newOrExistingFile), undefined)
  return {
    ...root(sources, folder, location),
    ...listening(sources, folder),
    baseURL: one('baseurl', check.baseURL, ''),
    ...tls(sources, folder),
    database,
    cacheDir: one('cache-dir', path(check.newOrExistingFolder), `${database}.cache`),
    ...(auditLog !== undefined && { auditLog }),
    ...(adminPasswordFile !== undefined && { adminPasswordFile }),
    linksInto: many('links-into', path(check.folder)),
    hosts: many('host', check.host),
    trustedProxies: many('trusted-proxy', check.trustedProxy),
    ...logOptions(sources.all('log'), folder),
    logFormat: one('log-format', (given) => check.oneOf(given, logFormats), isTerminal ? 'pretty' : 'json'),
    tokenLifetime: one('token-lifetime', check.lifetime, 7200),
    linkPasswordLength: one('link-password-length', check.number('a length of passwords', 4, 128), 8),
    historyActs: one('history-acts', check.number('a number of acts', 1, 1000), 100),
    historyDays: one('history-days', check.number('a number of days', 1, 3650), 30),
    hsts: sources.isOn('hsts'),
    trash: !sources.isOn('no-trash'),
    thumbnails: !sources.isOn('no-thumbnails'),
    resizePreview: !sources.isOn('no-resize-preview'),
    enableExec: sources.isOn('enable-exec'),
    execUnconfined: sources.isOn('exec-unconfined'),
    ...authentication(sources),
    ...captchaOptions(sources, (given) => ({ ...given, value: resolve(folder, given.value) })),
  }
}

/** The state. What is named may be a database of File Browser, beside which it stands. */
function databaseOf(sources: OptionSources, folder: string, location: ProgramLocation): string {
  const given = sources.one('database')
  if (given === undefined) return join(homeOf(location), 'holdall.json')
  const named = { ...given, value: resolve(folder, given.value) }
  check.newOrExistingFile(named)
  return stateFor(named)
}

function homeOf(location: ProgramLocation) {
  return 'project' in location ? location.project : dirname(location.executable)
}

/** Without --root, the working folder; in the project's folder its `files/`, so that the source code is not served. */
function root(
  sources: OptionSources,
  folder: string,
  location: ProgramLocation,
): Pick<Options, 'root' | 'makesRoot' | 'isRootNamed'> {
  const given = sources.one('root')
  if (given !== undefined)
    return { root: check.folder({ ...given, value: resolve(folder, given.value) }), makesRoot: false, isRootNamed: true }
  if ('project' in location && resolve(folder) === resolve(location.project))
    return { root: join(location.project, 'files'), makesRoot: true, isRootNamed: false }
  return { root: check.folder({ value: folder, from: '--root (by default)' }), makesRoot: false, isRootNamed: false }
}

function listening(sources: OptionSources, folder: string): Pick<Options, 'address' | 'port' | 'socket'> {
  const [address, port, socket] = [sources.one('address'), sources.one('port'), sources.one('socket')]
  const besides = sources.areTogether('socket', 'port') ? port : sources.areTogether('socket', 'address') ? address : undefined
  if (socket !== undefined && besides !== undefined) {
    throw new StartupError(`${socket.from} takes the place of ${besides.from}: give one or the other.`)
  }
  const isSocket = socket !== undefined && sources.outranks('socket', 'port') && sources.outranks('socket', 'address')
  return {
    address: address === undefined ? '127.0.0.1' : check.address(address),
    port: port === undefined ? 8080 : check.port(port),
    ...(isSocket && { socket: check.newOrExistingSocket({ ...socket, value: resolve(folder, socket.value) }) }),
  }
}

function tls(sources: OptionSources, folder: string): Pick<Options, 'tls'> {
  const [cert, key] = [sources.one('cert'), sources.one('key')]
  if (cert === undefined && key === undefined) return {}
  if (cert === undefined) throw new StartupError(`${key?.from} needs --cert: name the certificate that belongs to the key.`)
  if (key === undefined) throw new StartupError(`${cert.from} needs --key: name the private key that belongs to the certificate.`)
  const absolute = (given: OptionSource) => ({ ...given, value: resolve(folder, given.value) })
  return { tls: Object.freeze(check.certificate(absolute(cert), absolute(key))) }
}

function authentication(sources: OptionSources): Pick<Options, 'authMethod' | 'authHeader'> {
  const header = sources.one('auth-header')
  const noauth = sources.isOn('noauth') ? sources.one('noauth') : undefined
  if (header !== undefined && noauth !== undefined) {
    throw new StartupError(`${noauth.from} and ${header.from} exclude each other: give one or the other.`)
  }
  if (noauth !== undefined) return { authMethod: 'noauth' }
  if (header === undefined) return { authMethod: 'json' }
  if (sources.all('trusted-proxy').length === 0) {
    throw new StartupError(`${header.from} needs --trusted-proxy: name the address whose ${header.value} header counts, or unix.`)
  }
  return { authMethod: 'proxy', authHeader: check.headerName(header) }
}
