// Every option, once: flags, HOLDALL_* variables, the keys of the --config file and --help come from this table.

export type OptionRow = Readonly<{
  /** The flag without its dashes, and the key in the --config file. */
  name: string
  /** One letter that stands for the flag. */
  short?: string
  /** What the value is, as --help shows it; an option without one is a switch. */
  value?: string
  /** May be given more than once. */
  many?: boolean
  /** A flag alone: no variable, no key in the file. */
  flagOnly?: boolean
  /** No key in the file, which it names itself. */
  notInFile?: boolean
  /** One line for --help. */
  help: string
}>

const table = [
  { name: 'root', value: 'DIR', help: 'the folder to serve (default: the folder you start it from)' },
  { name: 'address', value: 'ADDRESS', help: 'the address to listen on (default: 127.0.0.1)' },
  { name: 'port', value: 'PORT', help: 'the port to listen on; 0 takes any free one (default: 8080)' },
  { name: 'socket', value: 'FILE', help: 'listen on a unix socket instead of an address and a port' },
  { name: 'baseurl', value: '/PATH', help: 'the path below which everything is served, behind a proxy (default: none)' },
  { name: 'cert', value: 'FILE', help: 'a TLS certificate (PEM); needs --key' },
  { name: 'key', value: 'FILE', help: 'the private key of --cert (PEM)' },
  {
    name: 'database',
    value: 'FILE',
    help: 'the file for users, settings and sessions (default: holdall.json beside the executable)',
  },
  { name: 'cache-dir', value: 'DIR', help: 'the folder for what can be made again (default: <database>.cache)' },
  {
    name: 'admin-password-file',
    value: 'FILE',
    help: "the first administrator's password; counts only while there are no users",
  },
  { name: 'links-into', value: 'DIR', many: true, help: 'a folder outside the root into which symbolic links may lead' },
  { name: 'host', value: 'NAME', many: true, help: 'a host name that --noauth answers to, beside localhost and IP addresses' },
  {
    name: 'trusted-proxy',
    value: 'ADDRESS',
    many: true,
    help: 'an IP address, a range (10.0.0.0/8) or unix: whose forwarded headers count',
  },
  { name: 'log', value: 'LEVEL', help: 'debug, info, warn, error or silent (default: info)' },
  { name: 'log-format', value: 'FORMAT', help: 'json or pretty (default: pretty on a terminal, else json)' },
  {
    name: 'token-lifetime',
    value: 'TIME',
    help: 'how long a token is good before it is renewed, such as 30m or 2h (default: 2h)',
  },
  { name: 'noauth', help: 'everybody is the first administrator, without a password' },
  { name: 'auth-header', value: 'NAME', help: 'the header in which a trusted proxy names the user' },
  { name: 'config', value: 'FILE', notInFile: true, help: 'a JSON file with any of these options' },
  { name: 'self-test', flagOnly: true, help: 'try the parts of this program on this machine, and end' },
  { name: 'version', short: 'v', flagOnly: true, help: 'print the version, and end' },
  { name: 'help', short: 'h', flagOnly: true, help: 'print this, and end' },
] as const satisfies readonly OptionRow[]

export type OptionName = (typeof table)[number]['name']

/** The same rows under their common type, for who walks them. */
export const optionRows: readonly (OptionRow & { name: OptionName })[] = table

/** The one variable without a flag: a flag would stand in every list of processes. */
export const adminPasswordVariable = 'HOLDALL_ADMIN_PASSWORD'

/** @returns undefined for what only a flag can say. */
export function variableOf(row: OptionRow): string | undefined {
  return row.flagOnly ? undefined : `HOLDALL_${row.name.toUpperCase().replaceAll('-', '_')}`
}
