import { StartupError } from '../base/startup-error.ts'
import { nearest } from './nearest.ts'
import type { OptionValues } from './option-source.ts'
import { adminPasswordVariable, type OptionRow, optionRows, variableOf } from './option-table.ts'

const prefix = 'HOLDALL_'

/** The environment variables, as in `process.env`. */
export type Environment = Record<string, string | undefined>

/** Reads the HOLDALL_* variables. An empty one counts as unset. @throws StartupError for a switch that is not true or false */
export function readEnvironment(env: Environment): { source: OptionValues; warnings: string[] } {
  const source: Record<string, { value: string; from: string }[]> = {}
  for (const row of optionRows) {
    const variable = variableOf(row)
    const text = variable === undefined ? undefined : env[variable]
    if (variable === undefined || text === undefined || text === '') continue
    source[row.name] = valuesOf(row, text, variable).map((value) => ({ value, from: variable }))
  }
  return { source: source as OptionValues, warnings: unknownVariables(env) }
}

/** Lists are separated by commas. A value with a comma in it can only be given as a flag or in the file. */
function valuesOf(row: OptionRow, text: string, variable: string): string[] {
  if (row.value === undefined) return [switchValue(text, variable)]
  return row.many === true
    ? text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : [text]
}

function switchValue(text: string, variable: string): string {
  if (text === 'true' || text === '1') return 'true'
  if (text === 'false' || text === '0') return 'false'
  throw new StartupError(`${variable} is "${text}": it must be true or false.`)
}

/** Unknown variables are only a warning: the environment of a container often serves several programs. */
function unknownVariables(env: Environment): string[] {
  const known = [...optionRows.map(variableOf).filter((name) => name !== undefined), adminPasswordVariable]
  const unknown = Object.keys(env).filter((name) => name.startsWith(prefix) && !known.includes(name))
  return unknown.map((name) => {
    const near = nearest(
      name.slice(prefix.length),
      known.map((variable) => variable.slice(prefix.length)),
    )
    return `There is no variable ${name}: ${near === undefined ? '--help lists them all.' : `did you mean ${prefix}${near}?`}`
  })
}

/** Removes the password from the environment, so that commands run by the server cannot read it. */
export function takeAdminPassword(env: Environment): string | undefined {
  const password = env[adminPasswordVariable]
  delete env[adminPasswordVariable]
  return password === '' ? undefined : password
}
