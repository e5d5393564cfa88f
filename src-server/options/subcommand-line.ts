// The command lines of the commands besides the server.
import { parseArgs } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import { insteadOfCommand, insteadOfFlag } from './file-browser-commands.ts'
import { nearest } from './nearest.ts'
import { type OptionRow, optionRows } from './option-table.ts'
import { subcommandHelp } from './subcommand-help.ts'
import { flagsOf, type StateCommand, type SubcommandName, type SubcommandRow, subcommandRows } from './subcommands.ts'

/** What a command that uses the state is asked for. */
export type StateRequest = Readonly<{
  name: StateCommand
  args: readonly string[]
  /** By name; a switch is 'true'. */
  flags: ReadonlyMap<string, string>
}>

/** A command line of one: the rest of it is that of the server. */
export type SubcommandLine = Readonly<{
  row: SubcommandRow & Readonly<{ name: SubcommandName }>
  args: readonly string[]
  flags: ReadonlyMap<string, string>
  serverArgv: readonly string[]
  isHelp: boolean
  /** What to say of a spelling of File Browser. */
  note?: string
}>

type Row = SubcommandLine['row']

/** 16 bytes in base64url, or the 6 of a link of File Browser, which would be read as an option. */
const dashedId = /^-(?!-)[\w-]{7}(?:[\w-]{14})?$/

/** They make the first administrator, which no command does. */
const ofFirstStart: readonly string[] = ['username', 'password', 'import-on-start']

/** @returns undefined for the command line of the server @throws StartupError naming what is wrong */
export function readSubcommand(argv: readonly string[]): SubcommandLine | undefined {
  const [first = '', second = ''] = argv
  if (first === '' || first.startsWith('-')) return undefined
  const found = rowCalled(`${first} ${second}`) ?? rowCalled(first)
  const instead = found === undefined ? insteadOfCommand(argv) : undefined
  if (instead !== undefined) throw new StartupError(instead)
  if (found === undefined) return isGroup(first) ? groupLine(argv) : unknownWord(first)
  const { row, words, note } = found
  return { ...readRest(row, argv.slice(words)), ...(note !== undefined && { note }) }
}

/** The row with a name of ours or of File Browser. */
export function rowCalled(name: string): Readonly<{ row: Row; words: number; note?: string }> | undefined {
  const words = name.split(' ').length
  const own = subcommandRows.find((row) => row.name === name)
  if (own) return { row: own, words }
  const other = subcommandRows.find(({ also = [] }) => also.includes(name))
  return other && { row: other, words, note: `"${name}" is "holdall ${other.name}" here.` }
}

const isGroup = (word: string) => subcommandRows.some((row) => namesOf(row).some((name) => name.startsWith(`${word} `)))

const namesOf = ({ name, also = [] }: SubcommandRow) => [name, ...also]

/** `holdall users`, `holdall users --help`, `holdall users remov`. */
function groupLine([group = '', word]: readonly string[]): SubcommandLine {
  const help = rowCalled('help')?.row
  if (help && (word === undefined || word.startsWith('-')))
    return { row: help, args: [group], flags: new Map(), serverArgv: [], isHelp: false }
  const names = subcommandRows.flatMap(namesOf).filter((name) => name.startsWith(`${group} `))
  const near = nearest(`${group} ${word}`, names)
  const advice = near === undefined ? `holdall help ${group} lists them.` : `did you mean holdall ${near}?`
  throw new StartupError(`There is no command "${group} ${word}": ${advice}`)
}

/** Undefined for what is near to no command: the server's command line says what it takes instead. */
function unknownWord(word: string): undefined {
  const near = nearest(word, [...new Set(subcommandRows.map(({ name }) => name.split(' ')[0] ?? ''))])
  if (near !== undefined) throw new StartupError(`There is no command "${word}": did you mean holdall ${near}?`)
}

function readRest(row: Row, argv: readonly string[]): SubcommandLine {
  const flags = new Map<string, string>()
  const [args, serverArgv]: [string[], string[]] = [[], []]
  const own = flagsOf(row)
  const all = [...own, ...(row.reads === 'nothing' ? [] : optionRows.filter(({ name }) => !ofFirstStart.includes(name)))]
  let isHelp = false
  const isId = (word: string) => row.takes === 'id' && dashedId.test(word) && !all.some(({ name }) => word === `--${name}`)
  args.push(...argv.filter(isId))
  const others = argv.filter((word) => !isId(word))
  for (const token of tokensOf(others, all)) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const flag = own.find(({ name }) => name === token.name)
    if (token.name === 'help' || token.name === 'h') isHelp = true
    else if (flag !== undefined) flags.set(flag.name, textOf(flag, token))
    else if (all.some(({ name }) => name === token.name))
      serverArgv.push(token.value === undefined ? `--${token.name}` : `--${token.name}=${token.value}`)
    else throw new StartupError(unknownFlag(row, token.rawName, all))
  }
  const [least, most] = row.count ?? [0, 0]
  if (!isHelp && (args.length < least || args.length > most)) throw new StartupError(wrongCount(row, args, most))
  return { row, args, flags, serverArgv, isHelp }
}

function tokensOf(argv: readonly string[], rows: readonly Pick<OptionRow, 'name' | 'short' | 'value'>[]) {
  const options = Object.fromEntries(
    rows.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
    ]),
  )
  return parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true }).tokens
}

type Token = Readonly<{ value?: string | undefined; inlineValue?: boolean | undefined }>

function textOf({ name, value }: Pick<OptionRow, 'name' | 'value'>, token: Token): string {
  if (value === undefined) {
    if (token.value === undefined) return 'true'
    throw new StartupError(`--${name} takes no value: write --${name} alone.`)
  }
  // `--scope --json`: the next flag is not taken for the value. With `=` any text is one, also an empty one.
  const isForgotten = token.value === undefined || (token.inlineValue !== true && token.value.startsWith('--'))
  if (isForgotten) throw new StartupError(`--${name} needs a value: --${name} ${value}.`)
  return token.value ?? ''
}

function unknownFlag(row: Row, flag: string, all: readonly Pick<OptionRow, 'name'>[]): string {
  if (/^-+p(assword)?$/.test(flag))
    return 'A password is no argument, as everybody on the machine can see those: use --password-file, or type it when it is asked for.'
  const instead = insteadOfFlag(row, flag)
  if (instead !== undefined) return `There is no option ${flag}. ${instead}`
  const name = nearest(
    flag.replace(/^-+/, ''),
    all.map((one) => one.name),
  )
  return `There is no option ${flag}: ${name === undefined ? `holdall help ${row.name} lists them all.` : `did you mean --${name}?`}`
}

function wrongCount(row: Row, args: readonly string[], most: number): string {
  const form = `holdall ${row.name}${row.args === undefined ? '' : ` ${row.args}`}`
  const isPassword = row.name === 'users add' || row.name === 'users passwd'
  // As File Browser has it. It is not printed.
  if (isPassword && args.length === 2)
    return `A password is no argument, as everybody on the machine can see those: write ${form}, and --password-file FILE or the password when it is asked for.`
  return args.length > most ? `"${args[most]}" is one word too many: write ${form}.` : `Something is missing: write ${form}.`
}

/** What `holdall help …` prints. @throws StartupError for what is no command */
export function helpOn(words: readonly string[]): string {
  const name = words.join(' ')
  const row = rowCalled(name)?.row
  if (row !== undefined) return subcommandHelp([row], true)
  const rows = subcommandRows.filter((one) => name === '' || namesOf(one).some((other) => other.startsWith(`${name} `)))
  if (rows.length === 0) throw new StartupError(`There is no command "${name}": holdall help lists them.`)
  return subcommandHelp(rows, false)
}
