import { parseArgs } from 'node:util'
import { StartupProblem } from '../base/startup-problem.ts'
import { nearest } from './nearest.ts'
import type { OptionValues } from './option-source.ts'
import { type OptionRow, optionRows } from './option-table.ts'

/**
 * @param rightForm how a root is named on the command line that was used
 * @throws StartupProblem for a flag that there is not, a flag without its value, and anything that is no flag
 */
export function readCommandLine(argv: readonly string[], rightForm: string): OptionValues {
  const source: Record<string, { value: string; from: string }[]> = {}
  for (const token of tokensOf(argv)) {
    if (token.kind === 'positional') throw new StartupProblem(bareSentence(token.value, rightForm))
    if (token.kind === 'option-terminator') continue
    const row = optionRows.find((candidate) => candidate.name === token.name)
    if (row === undefined) throw new StartupProblem(unknownSentence(token.rawName))
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
  // Not strict: its sentences name neither the nearest flag nor what would be right.
  return parseArgs({ args: [...argv], options, strict: false, tokens: true, allowPositionals: true }).tokens
}

/** `--noauth`, or `--noauth=false` to undo what the environment or the file says. */
function switchValue(row: OptionRow, value: string | undefined): string {
  if (value === undefined || value === 'true') return 'true'
  if (value === 'false' && row.flagOnly !== true) return 'false'
  throw new StartupProblem(`--${row.name} takes no value: write --${row.name} alone.`)
}

function wordValue(row: OptionRow, token: { value?: string | undefined; inlineValue?: boolean | undefined }): string {
  // `--port --root x`: the value was forgotten, and the next flag is none. `--port=-1` is meant.
  const isForgotten = token.value === undefined || (token.inlineValue !== true && token.value.startsWith('--'))
  if (isForgotten || token.value === '') throw new StartupProblem(`--${row.name} needs a value: --${row.name} ${row.value}.`)
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
