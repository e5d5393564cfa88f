import { readFileSync } from 'node:fs'
import { StartupError } from '../base/startup-error.ts'
import { nearest } from './nearest.ts'
import type { OptionValues } from './option-source.ts'
import { type OptionName, type OptionRow, optionRows } from './option-table.ts'

const fileRows = optionRows.filter((row) => row.flagOnly !== true && row.notInFile !== true)

/**
 * Reads the --config file: one JSON object whose keys are the names of flags.
 * @param from the option that named the file
 * @throws StartupError for a file that cannot be read, an unknown key, a value of the wrong kind
 */
export function readConfigFile(file: string, from: string): OptionValues {
  const entries = Object.entries(objectIn(file, from))
  return Object.fromEntries(entries.map(([key, value]) => [key, sourcesOf(rowOf(key, file), value, `"${key}" in ${file}`)]))
}

function objectIn(file: string, from: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(textOf(file, from))
  } catch (cause) {
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`${from} ${file} is not JSON (${reasonOf(cause)}): it must hold one object, such as {"port": 8080}.`, {
      cause,
    })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new StartupError(`${from} ${file} must hold one JSON object, such as {"port": 8080}.`)
}

function textOf(file: string, from: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StartupError(`${from} ${file} cannot be read (${reasonOf(cause)}): name a JSON file that can be read.`, { cause })
  }
}

function rowOf(key: string, file: string): OptionRow & { name: OptionName } {
  const row = fileRows.find((candidate) => candidate.name === key)
  if (row !== undefined) return row
  const near = nearest(
    key,
    fileRows.map(({ name }) => name),
  )
  throw new StartupError(`There is no option "${key}" (in ${file})${near === undefined ? '.' : `: did you mean "${near}"?`}`)
}

function sourcesOf(row: OptionRow, value: unknown, from: string) {
  return textsOf(row, value, from).map((text) => ({ value: text, from }))
}

function textsOf(row: OptionRow, value: unknown, from: string): string[] {
  if (row.value === undefined) return [switchText(value, from)]
  if (row.many !== true) return [wordText(value, from)]
  return Array.isArray(value) ? value.map((part) => wordText(part, from)) : [wordText(value, from)]
}

function switchText(value: unknown, from: string): string {
  if (typeof value === 'boolean') return String(value)
  throw new StartupError(`${from} must be true or false.`)
}

function wordText(value: unknown, from: string): string {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value === 'number') return String(value)
  throw new StartupError(`${from} must be a text and not empty.`)
}

function reasonOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}
