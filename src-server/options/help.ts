import { adminPasswordVariable, optionRows } from './option-table.ts'

/** What --help prints. */
export function helpText(): string {
  const flags = optionRows.map(({ name, short, value }) => {
    const letter = short === undefined ? '' : `-${short}, `
    return `${letter}--${name}${value === undefined ? '' : ` ${value}`}`
  })
  const width = Math.max(...flags.map((flag) => flag.length))
  const lines = optionRows.map((row, index) => {
    const repeatable = row.many === true ? ' (repeatable)' : ''
    return `  ${flags[index]?.padEnd(width)}  ${row.help}${repeatable}`
  })
  return `Holdall serves a folder to any browser.

  holdall --root DIR --port 8080
  holdall import filebrowser.db --root DIR --dry-run   what comes over from File Browser (holdall import --help)
  holdall users passwd admin                           a forgotten password; holdall help lists all commands

${lines.join('\n')}

Every option but the last ${optionRows.filter(({ flagOnly }) => flagOnly).length} can also be set by a variable, such as HOLDALL_TOKEN_LIFETIME=30m
(several values are separated by commas; a switch is true or false), and, except --config, in the
file that --config names: {"port": 8080, "noauth": false, "host": ["files.lan"]}. A flag overrides
a variable, and a variable overrides the file.

${adminPasswordVariable} is the first administrator's password; it counts only while there are no users.
`
}
