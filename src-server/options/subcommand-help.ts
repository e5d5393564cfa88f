import { flagsOf, type SubcommandRow } from './subcommands.ts'

/** The lines that list commands, for help. */
export function commandLines(rows: readonly SubcommandRow[]): string {
  const forms = rows.map(formOf)
  const width = Math.max(...forms.map(({ length }) => length))
  return rows.map(({ help }, index) => `  ${forms[index]?.padEnd(width)}  ${help}`).join('\n')
}

/** @param isOne whether everything about a single command is said */
export function subcommandHelp(rows: readonly SubcommandRow[], isOne: boolean): string {
  const [row] = rows
  if (!isOne || row === undefined)
    return `${commandLines(rows)}

holdall help COMMAND says what one takes, docs/command-line.md how they reach the state. Those of the state
take --json, and name it as the server does: --database, HOLDALL_DATABASE or the file of --config.
`
  const flags = flagsOf(row).map(({ name, value, help }) => [`--${name}${value === undefined ? '' : ` ${value}`}`, help] as const)
  const width = Math.max(0, ...flags.map(([flag]) => flag.length))
  const lines = flags.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}\n`).join('')
  const server = row.reads === 'state' ? '\nThe options of the server, such as --database, count as they do at its start.\n' : ''
  const sentence = `${row.help.charAt(0).toUpperCase()}${row.help.slice(1)}`
  return `${sentence}.\n\n  holdall ${formOf(row)}\n${lines === '' ? '' : `\n${lines}`}${server}`
}

const formOf = ({ name, args }: SubcommandRow) => `${name}${args === undefined ? '' : ` ${args}`}`
