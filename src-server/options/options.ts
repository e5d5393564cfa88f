/** How the server was started: flags, environment and file, joined, checked and frozen. Paths are absolute. */
export type Options = Readonly<{
  root: string
  address: string
  /** 0 lets the system choose; the log names what it chose. */
  port: number
  /** A unix socket instead of address and port. */
  socket?: string
  /** '' or '/prefix': no trailing slash. */
  baseURL: string
  tls?: Readonly<{ cert: string; key: string }>
  database: string
  cacheDir: string
  adminPasswordFile?: string
  /** Folders outside the root into which links may lead. */
  linksInto: readonly string[]
  /** Host names that noauth answers to, beside localhost and IP literals. */
  hosts: readonly string[]
  /** IP addresses, CIDR ranges or 'unix': whose X-Forwarded-* and proxy header count. */
  trustedProxies: readonly string[]
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  logFormat: 'json' | 'pretty'
  /** Seconds. */
  tokenLifetime: number
  authMethod: 'json' | 'noauth' | 'proxy'
  /** The header that names the user; proxy only. */
  authHeader?: string
  configFile?: string
}>
