// All options. The flags, the HOLDALL_* variables, the keys of the --config file and --help are derived from this table.

/** One option. */
export type OptionRow = Readonly<{
  /** The flag without its dashes, and the key in the --config file. */
  name: string
  /** A flag of one letter, without its dash. */
  short?: string
  /** The placeholder of the value in --help. An option without it is a switch. */
  value?: string
  /** May be given more than once. */
  many?: boolean
  /** Neither a variable nor a key in the file sets it. */
  flagOnly?: boolean
  /** The file has no key for it: `config` names the file itself. */
  notInFile?: boolean
  /** One line for --help. */
  help: string
}>

const table = [
  { name: 'root', value: 'DIR', help: 'the folder to serve (default: the working folder)' },
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
  { name: 'cache-dir', value: 'DIR', help: 'the folder for files that can be regenerated (default: <database>.cache)' },
  {
    name: 'admin-password-file',
    value: 'FILE',
    help: "a file with the first administrator's password; read only while there are no users",
  },
  { name: 'links-into', value: 'DIR', many: true, help: 'a folder outside the root that symbolic links may lead to' },
  { name: 'audit-log', value: 'FILE', help: 'the file for the activity log; ten files of 50 MB are kept (default: none)' },
  { name: 'host', value: 'NAME', many: true, help: 'a host name that --noauth answers to, besides localhost and IP addresses' },
  {
    name: 'trusted-proxy',
    value: 'ADDRESS',
    many: true,
    help: 'an IP address, a range (10.0.0.0/8) or unix: a proxy whose forwarded headers count',
  },
  {
    name: 'log',
    value: 'LEVEL',
    help: 'debug, info, warn, error or silent (default: info); also stdout, stderr (default) or a file to log to',
  },
  { name: 'log-format', value: 'FORMAT', help: 'json or pretty (default: pretty on a terminal, else json)' },
  {
    name: 'token-lifetime',
    value: 'TIME',
    help: 'how long a token is valid before it is renewed, such as 30m or 2h (default: 2h)',
  },
  {
    name: 'link-password-length',
    value: 'NUMBER',
    help: 'the fewest characters of a new password of a public link, at least 4 (default: 8)',
  },
  { name: 'history-acts', value: 'NUMBER', help: 'the last acts of each person that can be undone, at most 1000 (default: 100)' },
  { name: 'history-days', value: 'DAYS', help: 'for how many days an act can be undone (default: 30)' },
  {
    name: 'hsts',
    help: 'over https, tell browsers to use https alone with this host for a year (Strict-Transport-Security)',
  },
  { name: 'no-trash', help: 'what is deleted or replaced is gone for good, whatever the settings say' },
  { name: 'no-thumbnails', help: 'make no thumbnails; the mosaic shows icons' },
  { name: 'no-resize-preview', help: 'show pictures in their full size; no smaller ones are made' },
  {
    name: 'enable-exec',
    help: 'run the commands that administrators name for events, and the commands that users may run in the shell',
  },
  {
    name: 'exec-unconfined',
    help: 'let commands of the shell do all that the server may, without bubblewrap: they can read its state and its keys',
  },
  { name: 'noauth', help: 'everybody is the first administrator, without a password' },
  { name: 'auth-header', value: 'NAME', help: 'the header in which a trusted proxy names the user' },
  {
    name: 'captcha-key',
    value: 'KEY',
    help: 'the key of a site of reCAPTCHA or a compatible host; asks for a captcha at the sign-in',
  },
  { name: 'captcha-secret-file', value: 'FILE', help: 'a file with the secret of --captcha-key' },
  { name: 'captcha-host', value: 'URL', help: 'the host of the captchas (default: https://www.google.com)' },
  {
    name: 'import-on-start',
    help: 'where there is no state yet, bring over what File Browser has, and start with it; needs --root',
  },
  { name: 'config', value: 'FILE', notInFile: true, help: 'a JSON file with any of these options' },
  {
    name: 'health',
    flagOnly: true,
    help: 'ask the server that runs with these options whether it is well, and exit with 0 or 1',
  },
  {
    name: 'reset-password',
    value: 'NAME',
    flagOnly: true,
    help: 'give a user a new random password, end the sessions of this user, and exit; only while no server runs',
  },
  {
    name: 'root-moved',
    flagOnly: true,
    help: 'once: --root is what was served at the import from File Browser, at another place',
  },
  { name: 'username', value: 'NAME', flagOnly: true, help: 'the name of the first administrator (default: admin)' },
  {
    name: 'password',
    value: 'HASH',
    flagOnly: true,
    help: "the bcrypt hash of the first administrator's password, as File Browser takes it",
  },
  { name: 'self-test', flagOnly: true, help: 'test the native modules on this machine, and exit' },
  { name: 'licenses', flagOnly: true, help: 'print the licences of all that this program holds, and exit' },
  { name: 'version', short: 'v', flagOnly: true, help: 'print the version, and exit' },
  { name: 'help', short: 'h', flagOnly: true, help: 'print this, and exit' },
] as const satisfies readonly OptionRow[]

/** The name of an option. */
export type OptionName = (typeof table)[number]['name']

/** The rows under their common type, for loops. */
export const optionRows: readonly (OptionRow & { name: OptionName })[] = table

/** The one variable without a flag: flags are visible in the list of processes. */
export const adminPasswordVariable = 'HOLDALL_ADMIN_PASSWORD'

/** The environment variable of an option; undefined when only a flag sets it. */
export function variableOf(row: OptionRow): string | undefined {
  return row.flagOnly ? undefined : `HOLDALL_${row.name.toUpperCase().replaceAll('-', '_')}`
}
