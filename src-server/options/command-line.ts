import { parseArgs } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import { nearest } from './nearest.ts'
import type { OptionValues } from './option-source.ts'
import { type OptionRow, optionRows } from './option-table.ts'

/**
 * Reads the flags.
 * @param rightForm an example of a correct command line, for error messages
 * @throws StartupError for an unknown flag, a flag without its value, and an argument that is not a flag
 */
export function readCommandLine(argv: readonly string[], rightForm: string): OptionValues {
  const source: Record<string, { value: string; from: string }[]> = {}
  for (const token of tokensOf(argv)) {
    if (token.kind === 'positional') throw new StartupError(bareSentence(token.value, rightForm))
    if (token.kind === 'option-terminator') continue
    const row = optionRows.find((candidate) => candidate.name === token.name)
    if (row === undefined) throw new StartupError(unknownSentence(token.rawName))
    const value = row.value === undefined ? switchValue(row, token.value) : wordValue(row, token)
    source[row.name] = [...(source[row.name] ?? []), { value, from: `--${row.name}` }]
  }
  return source as OptionValues
}

function tokensOf(argv: readonly string[]) {
  const options = Object.fromEntries(
    optionRows.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && { short }) },
    ]),
  )
  // Not strict: the errors of `parseArgs` neither suggest a flag nor say what would be valid.
  return parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true }).tokens
}

/** `--noauth`, or `--noauth=false` to override the environment or the file. */
function switchValue(row: OptionRow, value: string | undefined): string {
  if (value === undefined || value === 'true') return 'true'
  if (value === 'false' && row.flagOnly !== true) return 'false'
  throw new StartupError(`--${row.name} takes no value: write --${row.name} alone.`)
}

function wordValue(row: OptionRow, token: { value?: string | undefined; inlineValue?: boolean | undefined }): string {
  // `--port --root x`: the next flag is not taken for the value. With `=`, as in `--port=-1`, any text is a value.
  const isForgotten = token.value === undefined || (token.inlineValue !== true && token.value.startsWith('--'))
  if (isForgotten || token.value === '') throw new StartupError(`--${row.name} needs a value: --${row.name} ${row.value}.`)
  return token.value ?? ''
}

function bareSentence(word: string, rightForm: string) {
  return `"${word}" is not an option: write ${rightForm}.`
}

function unknownSentence(flag: string) {
  const name = nearest(
    flag.replace(/^-+/, ''),
    optionRows.map((row) => row.name),
  )
  const advice = name === undefined ? '--help lists them all' : `did you mean --${name}`
  return `There is no option ${flag}: ${advice}${name === undefined ? '.' : '?'}`
}
