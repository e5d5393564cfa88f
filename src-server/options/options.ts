import type { OptionSource } from './option-source.ts'

/** Options of the server: flags, environment and file, joined, checked and frozen. Paths are absolute. */
export type Options = Readonly<{
  /** The served folder. */
  root: string
  /** Whether the root is `files/` in the project's folder, which prepareFolders() makes when it is missing. */
  makesRoot: boolean
  /** Whether something names the root. The folder that a command is typed in, which counts without, is seldom what the server serves. */
  isRootNamed: boolean
  /** An IP address or a host name to listen on. */
  address: string
  /** 0 takes any free port, which the first line of output names. */
  port: number
  /** The path of a unix socket to listen on instead of address and port. */
  socket?: string
  /** '' or '/prefix': no trailing slash. */
  baseURL: string
  /** Paths of PEM files; certificate and key were checked to match. */
  tls?: Readonly<{ cert: string; key: string }>
  /** The state file. */
  database: string
  cacheDir: string
  /** The activity log; without it nothing is logged. */
  auditLog?: string
  /** Read only while there are no users. */
  adminPasswordFile?: string
  /** HOLDALL_ADMIN_PASSWORD: a function, so that printing the options does not show it. */
  adminPassword?: () => string
  /** The first administrator, as File Browser takes it: a name, and a hash of bcrypt, which is no text so that printing does not show it. */
  firstUsername?: OptionSource
  firstPassword?: Readonly<{ from: string; hash: () => string }>
  /** Folders outside the root into which links may lead. */
  linksInto: readonly string[]
  /** Host names in lower case that noauth answers to, besides localhost and IP addresses. */
  hosts: readonly string[]
  /** IP addresses, CIDR ranges or 'unix' of proxies whose X-Forwarded-* and user headers count. */
  trustedProxies: readonly string[]
  logLevel: LogLevel
  /** Where the log goes, unless to standard error: 'stdout', or the path of a file. */
  logTo?: string
  logFormat: LogFormat
  /** Seconds for which a token is valid. */
  tokenLifetime: number
  /** The fewest characters of a new password of a link. */
  linkPasswordLength: number
  /** The last acts of a person that can be undone, and for how many days. */
  historyActs: number
  historyDays: number
  /** Whether browsers are told to use https alone. */
  hsts: boolean
  /** Whether anything may go into the trash. */
  trash: boolean
  /** Whether thumbnails are made. */
  thumbnails: boolean
  /** Whether large pictures are shown smaller. */
  resizePreview: boolean
  /** Whether commands of events and of the shell run at all. */
  enableExec: boolean
  /** Whether commands of the shell may do all that the server may. */
  execUnconfined: boolean
  authMethod: 'json' | 'noauth' | 'proxy'
  /** The header that names the user, in lower case; set only with `proxy`. */
  authHeader?: string
  /** The captcha of the sign-in. The secret is a function, so that printing the options does not show it. */
  captcha?: Readonly<{ host: string; key: string; secretFile: string; secret: () => string }>
  configFile?: string
  /** Whether what File Browser has is brought over where there is no state. */
  importOnStart?: true
  /** Databases of File Browser that were named where the state is. */
  oldDatabases?: readonly string[]
  /** The root holds what another folder held when the state was imported. */
  rootMoved?: boolean
  /** Sentences to be logged as warnings. */
  warnings: readonly string[]
}>

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
export const logFormats = ['json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]
