// The command line of `holdall import`.
import { parseArgs } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import { nearest } from './nearest.ts'
import { type OptionRow, optionRows } from './option-table.ts'

/** What is to be imported, and what the administrator has said about it. */
export type ImportRequest = Readonly<{
  /** As given. */
  files: readonly string[]
  isDryRun: boolean
  /** What happens to a state that has users: they stay, or go. Undefined: nothing is written to such a state. */
  into: 'merge' | 'replace' | undefined
  /** Whether the plan is printed for scripts. */
  isJson: boolean
  keepExecute: boolean
  /** Whether 2.63.1 or later of File Browser wrote the database. */
  hasWholeNames: boolean
  scopes: 'root' | 'host' | undefined
  unusable: 'block' | 'leave-out' | undefined
  /** Whether an export of users comes without that of the configuration. */
  withoutSettings: boolean
}>

type ImportRow = Pick<OptionRow, 'name' | 'short' | 'value' | 'help'>

const rows: readonly ImportRow[] = [
  { name: 'dry-run', help: 'show what would come, and write nothing' },
  { name: 'merge', help: 'add to a state that has users: none of them, no link and no setting of it is changed' },
  { name: 'replace', help: 'in place of the users, links and settings of a state; a backup of it is kept' },
  { name: 'json', help: 'print the plan as JSON' },
  { name: 'keep-execute', help: 'users who may run commands keep that right (it counts only with --enable-exec)' },
  { name: 'without-settings', help: 'an export of users comes alone: there are no global rules' },
  { name: 'scopes', value: 'root|host', help: 'what absolute scopes count from: the root, or the host, as before 2.22' },
  { name: 'written-by', value: 'VERSION', help: 'the release that was in use: paths of rules are whole names from 2.63.1 on' },
  {
    name: 'unusable-rules',
    value: 'block|leave-out',
    help: 'what happens to a denying rule that cannot be applied here: it blocks everything, or does not come',
  },
]

/** The flags of the import, and the rest of the command line, which is that of the server. */
export type ImportCommand = Readonly<{ request: ImportRequest; serverArgv: readonly string[]; isHelp: boolean }>

/**
 * @param argv what follows the word `import`
 * @throws StartupError naming the flag
 */
export function readImportCommand(argv: readonly string[]): ImportCommand {
  const { tokens } = parseArgs({ args: [...argv], options: parsed, strict: false, tokens: true, allowPositionals: true })
  const flags = new Map<string, string | undefined>()
  const [files, serverArgv]: [string[], string[]] = [[], []]
  for (const token of tokens) {
    if (token.kind === 'positional') files.push(token.value)
    if (token.kind !== 'option') continue
    const row = rows.find(({ name }) => name === token.name)
    if (row !== undefined) flags.set(row.name, checkedValue(row, token.value))
    else if (optionRows.some(({ name }) => name === token.name))
      serverArgv.push(token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`)
    else throw new StartupError(unknownSentence(token.rawName))
  }
  if (flags.has('merge') && flags.has('replace'))
    throw new StartupError('--merge and --replace exclude each other: give one or the other.')
  const isHelp = serverArgv.includes('--help')
  if (!isHelp && files.length === 0)
    throw new StartupError('Name the file to import: holdall import filebrowser.db --root DIR --dry-run.')
  return { request: requestOf(files, flags), serverArgv, isHelp }
}

const allRows: readonly ImportRow[] = [...rows, ...optionRows]

const parsed = Object.fromEntries(
  allRows.map(({ name, short, value }) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
  ]),
)

function checkedValue({ name, value }: ImportRow, given: string | undefined): string | undefined {
  if (value === undefined && given !== undefined) throw new StartupError(`--${name} takes no value: write --${name} alone.`)
  if (value !== undefined && (given === undefined || given === '' || given.startsWith('--')))
    throw new StartupError(`--${name} needs a value: --${name} ${value}.`)
  return given
}

function requestOf(files: readonly string[], flags: ReadonlyMap<string, string | undefined>): ImportRequest {
  return {
    files,
    isDryRun: flags.has('dry-run'),
    into: flags.has('merge') ? 'merge' : flags.has('replace') ? 'replace' : undefined,
    isJson: flags.has('json'),
    keepExecute: flags.has('keep-execute'),
    withoutSettings: flags.has('without-settings'),
    hasWholeNames: flags.has('written-by') && hasWholeNames(flags.get('written-by') ?? ''),
    scopes: oneOf('scopes', flags, ['root', 'host']),
    unusable: oneOf('unusable-rules', flags, ['block', 'leave-out']),
  }
}

function oneOf<T extends string>(
  name: string,
  flags: ReadonlyMap<string, string | undefined>,
  words: readonly T[],
): T | undefined {
  const given = flags.get(name)
  const word = words.find((candidate) => candidate === given)
  if (given !== undefined && word === undefined)
    throw new StartupError(`--${name} ${given} is not known: it must be ${words.join(' or ')}.`)
  return word
}

function hasWholeNames(version: string): boolean {
  const [, major = '', minor = '', patch = '0'] = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?$/.exec(version) ?? []
  if (major === '') throw new StartupError(`--written-by ${version} is not a version: it must be one such as 2.63.5.`)
  const [since, given] = [[2, 63, 1], [major, minor, patch].map(Number)]
  const at = since.findIndex((number, index) => number !== given[index])
  return at < 0 || (given[at] ?? 0) > (since[at] ?? 0)
}

function unknownSentence(flag: string) {
  const name = nearest(
    flag.replace(/^-+/, ''),
    allRows.map((row) => row.name),
  )
  return `There is no option ${flag}: ${name === undefined ? 'holdall import --help lists them all.' : `did you mean --${name}?`}`
}

/** What `holdall import --help` prints. */
export function importHelp(): string {
  const flags = rows.map(({ name, value }) => `--${name}${value === undefined ? '' : ` ${value}`}`)
  const width = Math.max(...flags.map(({ length }) => length))
  const lines = rows.map(({ help }, index) => `  ${flags[index]?.padEnd(width)}  ${help}`)
  return `Brings what File Browser (2.0 to 2.63) has over: users with their passwords, rules, settings, options and links.

  holdall import filebrowser.db --root DIR --dry-run   shows what would come
  holdall import filebrowser.db --root DIR             shows it, and writes it

The file is its database, or what its config export and users export have written, in JSON or YAML
(both may be named). --root is the folder that it served. The file is only read: to go back is to
start File Browser again.

${lines.join('\n')}

The options of the server, such as --database, count as they do at its start.
`
}
