import { parseArgs } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import { oldFlags, oldLetter, oldOption, understood } from './file-browser-options.ts'
import { nearest } from './nearest.ts'
import type { OptionValues } from './option-source.ts'
import { type OptionRow, optionRows } from './option-table.ts'

/**
 * Reads the flags.
 * @param rightForm an example of a correct command line, for error messages
 * @param tell is told of each flag of File Browser what it stands for
 * @throws StartupError for an unknown flag, a flag without its value, and an argument that is not a flag
 */
export function readCommandLine(
  argv: readonly string[],
  rightForm: string,
  tell: (sentence: string) => void = () => {},
): OptionValues {
  const source: Record<string, { value: string; from: string }[]> = {}
  for (const token of tokensOf(argv)) {
    if (token.kind === 'positional') throw new StartupError(bareSentence(token.value, rightForm))
    if (token.kind === 'option-terminator') continue
    const row = optionRows.find((candidate) => candidate.name === token.name)
    const old = row === undefined || isOldLetter(row, token.rawName) ? oldOption(token.name) : undefined
    if (old !== undefined) {
      const read = old.isSwitch ? (token.value ?? 'true') : wordValue(row ?? { name: token.name, value: 'VALUE' }, token)
      const { option, value, says } = understood(old, { value: read, from: token.rawName }, (name) => `--${name}`)
      if (option !== undefined) source[option] = [...(source[option] ?? []), { value, from: token.rawName }]
      tell(says)
      continue
    }
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
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...letterOf(short ?? oldLetter(name)) },
    ]),
  )
  // Not strict: the errors of `parseArgs` neither suggest a flag nor say what would be valid.
  const all = { ...oldFlags, ...options }
  return parseArgs({ args: [...argv], options: all, strict: false, tokens: true, allowPositionals: true }).tokens
}

const letterOf = (short: string | undefined) => (short === undefined ? {} : { short })

const isOldLetter = ({ short }: OptionRow, rawName: string) => /^-[^-]$/.test(rawName) && rawName !== `-${short}`

/** `--noauth`, or `--noauth=false` to override the environment or the file. */
function switchValue(row: OptionRow, value: string | undefined): string {
  if (value === undefined || value === 'true') return 'true'
  if (value === 'false' && row.flagOnly !== true) return 'false'
  throw new StartupError(`--${row.name} takes no value: write --${row.name} alone.`)
}

function wordValue(
  row: Pick<OptionRow, 'name' | 'value'>,
  token: { value?: string | undefined; inlineValue?: boolean | undefined },
): string {
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
