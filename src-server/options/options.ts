/** How the server was started: flags, environment and file, joined, checked and frozen. Paths are absolute. */
export type Options = Readonly<{
  root: string
  /** The root is the project's own `files/`, which prepareFolders() makes when it is missing. */
  makesRoot: boolean
  address: string
  /** 0 lets the system choose; the log names what it chose. */
  port: number
  /** A unix socket instead of address and port. */
  socket?: string
  /** '' or '/prefix': no trailing slash. */
  baseURL: string
  /** Paths of PEM files that were read and fit each other. */
  tls?: Readonly<{ cert: string; key: string }>
  database: string
  cacheDir: string
  adminPasswordFile?: string
  /** HOLDALL_ADMIN_PASSWORD; a function, so that no dump of the options shows it. */
  adminPassword?: () => string
  /** Folders outside the root into which links may lead. */
  linksInto: readonly string[]
  /** Host names that noauth answers to, beside localhost and IP literals. */
  hosts: readonly string[]
  /** IP addresses, CIDR ranges or 'unix': whose X-Forwarded-* and proxy header count. */
  trustedProxies: readonly string[]
  logLevel: LogLevel
  logFormat: LogFormat
  /** Seconds. */
  tokenLifetime: number
  authMethod: 'json' | 'noauth' | 'proxy'
  /** The header that names the user, in lower case; proxy only. */
  authHeader?: string
  configFile?: string
  /** What is worth a warning in the log, a sentence each. */
  warnings: readonly string[]
}>

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
export const logFormats = ['json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]
