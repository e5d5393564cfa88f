import { dirname, join, resolve } from 'node:path'
import { StartupProblem } from '../base/startup-problem.ts'
import * as check from './checks.ts'
import { readCommandLine } from './command-line.ts'
import { readConfigFile } from './config-file.ts'
import { type Environment, readEnvironment, takeAdminPassword } from './environment.ts'
import { helpText } from './help.ts'
import { type OptionSource, OptionSources } from './option-source.ts'
import type { OptionName } from './option-table.ts'
import { logFormats, logLevels, type Options } from './options.ts'

/** Where the program lies: the packaged executable's real path, or the project's top folder when it runs from source. */
export type ProgramPlace = Readonly<{ executable: string } | { project: string }>

export type StartContext = {
  /** Without the names of Node and of the script. */
  argv: readonly string[]
  /** The admin password is taken out of it. */
  env: Environment
  cwd: string
  place: ProgramPlace
  version: string
  /** Whether the log goes to a terminal. */
  isTerminal?: boolean
}

export type Start =
  | Readonly<{ kind: 'serve'; options: Options }>
  | Readonly<{ kind: 'print'; text: string }>
  | Readonly<{ kind: 'self-test' }>

/**
 * Joins flags, environment, file and defaults; nothing is written.
 * @throws StartupProblem, one sentence that names the option and what would be right
 */
export function readOptions(context: StartContext): Start {
  const { argv, env } = context
  const adminPassword = takeAdminPassword(env)
  const flags = readCommandLine(argv, rightForm(env))
  if (flags.help !== undefined) return { kind: 'print', text: helpText() }
  if (flags.version !== undefined) return { kind: 'print', text: `holdall ${context.version}\n` }
  if (flags['self-test'] !== undefined) return { kind: 'self-test' }
  const { source: variables, warnings } = readEnvironment(env)
  const folder = env.INIT_CWD ?? context.cwd
  const named = new OptionSources([flags, variables]).one('config')
  const configFile = named && resolve(folder, named.value)
  const file = named && configFile !== undefined ? readConfigFile(configFile, named.from) : {}
  const givens = new OptionSources([flags, variables, file])
  const serving = checked(givens, folder, context)
  const options = {
    ...serving,
    ...(adminPassword !== undefined && { adminPassword: () => adminPassword }),
    ...(configFile !== undefined && { configFile }),
    warnings: Object.freeze([...warnings, ...riskOf(serving)]),
  }
  return { kind: 'serve', options: Object.freeze(options) }
}

/** Without passwords, whoever reaches the address is the administrator: that may be meant, and is worth saying. */
function riskOf({ authMethod, address, socket }: Omit<Options, 'warnings'>): string[] {
  const isPrivate = socket !== undefined || address === 'localhost' || address === '::1' || /^127\./.test(address)
  if (authMethod !== 'noauth' || isPrivate) return []
  return [`With --noauth everybody who reaches ${address} is the administrator.`]
}

/** Started by npm, the flags need a `--` before them: without it npm keeps them for itself and hands on only the values. */
function rightForm(env: Environment) {
  const script = env.npm_lifecycle_event
  return script === undefined ? 'holdall --root DIR' : `npm ${script === 'start' ? 'start' : `run ${script}`} -- --root DIR`
}

/** npm changes the working folder to the project's; the person's own is in INIT_CWD. */
function checked(givens: OptionSources, folder: string, { place, isTerminal = false }: StartContext): Omit<Options, 'warnings'> {
  const one = <T>(name: OptionName, read: (given: OptionSource) => T, otherwise: T) => {
    const given = givens.one(name)
    return given === undefined ? otherwise : read(given)
  }
  const many = <T>(name: OptionName, read: (given: OptionSource) => T) => Object.freeze(givens.all(name).map(read))
  const path = (read: (given: OptionSource) => string) => (given: OptionSource) =>
    read({ ...given, value: resolve(folder, given.value) })
  const database = one('database', path(check.fileToBe), join(homeOf(place), 'holdall.json'))
  const adminPasswordFile = one(
    'admin-password-file',
    path(({ value }) => value),
    undefined,
  )
  return {
    ...root(givens, folder, place),
    ...listening(givens, folder),
    baseURL: one('baseurl', check.baseURL, ''),
    ...tls(givens, folder),
    database,
    cacheDir: one('cache-dir', path(check.folderToBe), `${database}.cache`),
    ...(adminPasswordFile !== undefined && { adminPasswordFile }),
    linksInto: many('links-into', path(check.folder)),
    hosts: many('host', check.host),
    trustedProxies: many('trusted-proxy', check.trustedProxy),
    logLevel: one('log', (given) => check.oneOf(given, logLevels), 'info'),
    logFormat: one('log-format', (given) => check.oneOf(given, logFormats), isTerminal ? 'pretty' : 'json'),
    tokenLifetime: one('token-lifetime', check.lifetime, 7200),
    ...authentication(givens),
  }
}

function homeOf(place: ProgramPlace) {
  return 'project' in place ? place.project : dirname(place.executable)
}

/** Without --root: the folder it was called from; from the project's own folder its `files/`, so that nobody serves the source. */
function root(givens: OptionSources, folder: string, place: ProgramPlace): Pick<Options, 'root' | 'makesRoot'> {
  const given = givens.one('root')
  if (given !== undefined) return { root: check.folder({ ...given, value: resolve(folder, given.value) }), makesRoot: false }
  if ('project' in place && resolve(folder) === resolve(place.project))
    return { root: join(place.project, 'files'), makesRoot: true }
  return { root: check.folder({ value: folder, from: '--root (by default)' }), makesRoot: false }
}

function listening(givens: OptionSources, folder: string): Pick<Options, 'address' | 'port' | 'socket'> {
  const [address, port, socket] = [givens.one('address'), givens.one('port'), givens.one('socket')]
  const besides = givens.areTogether('socket', 'port') ? port : givens.areTogether('socket', 'address') ? address : undefined
  if (socket !== undefined && besides !== undefined) {
    throw new StartupProblem(`${socket.from} takes the place of ${besides.from}: give one or the other.`)
  }
  const isSocket = socket !== undefined && givens.outranks('socket', 'port') && givens.outranks('socket', 'address')
  return {
    address: address === undefined ? '127.0.0.1' : check.address(address),
    port: port === undefined ? 8080 : check.port(port),
    ...(isSocket && { socket: check.socketToBe({ ...socket, value: resolve(folder, socket.value) }) }),
  }
}

function tls(givens: OptionSources, folder: string): Pick<Options, 'tls'> {
  const [cert, key] = [givens.one('cert'), givens.one('key')]
  if (cert === undefined && key === undefined) return {}
  if (cert === undefined) throw new StartupProblem(`${key?.from} needs --cert: name the certificate that belongs to the key.`)
  if (key === undefined)
    throw new StartupProblem(`${cert.from} needs --key: name the private key that belongs to the certificate.`)
  const absolute = (given: OptionSource) => ({ ...given, value: resolve(folder, given.value) })
  return { tls: Object.freeze(check.certificate(absolute(cert), absolute(key))) }
}

function authentication(givens: OptionSources): Pick<Options, 'authMethod' | 'authHeader'> {
  const header = givens.one('auth-header')
  const noauth = givens.isOn('noauth') ? givens.one('noauth') : undefined
  if (header !== undefined && noauth !== undefined) {
    throw new StartupProblem(`${noauth.from} and ${header.from} exclude each other: give one or the other.`)
  }
  if (noauth !== undefined) return { authMethod: 'noauth' }
  if (header === undefined) return { authMethod: 'json' }
  if (givens.all('trusted-proxy').length === 0) {
    throw new StartupProblem(
      `${header.from} needs --trusted-proxy: name the address whose ${header.value} header counts, or unix.`,
    )
  }
  return { authMethod: 'proxy', authHeader: check.headerName(header) }
}
