import { readFileSync } from 'node:fs'
import { completed, SettingsRecord } from '../contract/records.ts'
import { type Migrations, migrate, migrations } from './migrations.ts'
import { emptyLists } from './new-state.ts'
import type { StateData } from './state-data.ts'
import { stateError } from './state-schema.ts'

/** The result of reading: a valid state with its original text and whether it was migrated, or why the file is not valid. */
export type StateReading =
  | Readonly<{ kind: 'good'; data: StateData; text: string; isMigrated: boolean }>
  | Readonly<{ kind: 'missing' }>
  | Readonly<{ kind: 'bad'; reason: string }>

/** Reads and validates a state file. Writes nothing. */
export function readState(file: string, known = migrations): StateReading {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { kind: 'missing' }
    return bad(`cannot be read (${error instanceof Error ? error.message : error})`)
  }
  return bytes.length === 0 ? bad('is empty') : readBytes(bytes, known)
}

function readBytes(bytes: Buffer, known: Migrations): StateReading {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    return bad('is not JSON')
  }
  return readValue(value, text, known)
}

function readValue(value: unknown, text: string, known: Migrations): StateReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return bad('does not hold a JSON object')
  const { schema } = value as Record<string, unknown>
  if (typeof schema !== 'number' || !Number.isInteger(schema) || schema < 1) return bad('does not name its schema')
  if (schema > known.current) return bad(`was written by a newer version (schema ${schema}, this one knows ${known.current})`)
  const data = migrated(value as Record<string, unknown>, known)
  const problem = data === undefined ? `it does not hold what schema ${schema} does` : stateError(data)
  if (problem !== undefined) return bad(`is not a whole state file: ${problem}`)
  const { settings = {} } = data as Partial<StateData>
  // What a state of before lacks is added behind what it has, so that its text stays the same.
  const whole: Record<string, unknown> = { ...data, settings: completed(SettingsRecord, settings) }
  for (const [name, list] of Object.entries(emptyLists())) whole[name] ??= list
  return { kind: 'good', data: whole as unknown as StateData, text, isMigrated: data !== value }
}

/** @returns undefined when a migration throws: migrations expect valid files */
function migrated(value: Record<string, unknown>, known: Migrations) {
  try {
    return migrate(value, known)
  } catch {
    return undefined
  }
}

function bad(reason: string): StateReading {
  return { kind: 'bad', reason }
}
