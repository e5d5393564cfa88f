import { type TObject, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { ImportNotice } from '../contract/imports.ts'
import { listNames, recordLists, SettingsRecord } from '../contract/records.ts'
import type { RecordLists } from './state-data.ts'

/** The same object, which may lack the fields that have a default. */
function mayLack<S extends TObject>({ properties }: S): TSchema {
  const fields = Object.entries(properties).map(([name, field]) => {
    const schema = 'properties' in field && !('default' in field) ? mayLack(field as TObject) : field
    return [name, 'default' in field || schema !== field ? Type.Optional(schema) : schema]
  })
  return Type.Object(Object.fromEntries(fields))
}

/** The current schema. Additional fields are kept. */
const stateSchema = Type.Object({
  schema: Type.Integer({ minimum: 1 }),
  instance: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  keys: Type.Array(
    Type.Object({ kid: Type.String({ minLength: 1 }), secret: Type.String({ pattern: '^[A-Za-z0-9_-]{43,}$' }) }),
    { minItems: 1 },
  ),
  // So that there are ids after it, each of which is a number of its own.
  lastUserId: Type.Integer({ minimum: 0, maximum: 2 ** 52 }),
  settings: mayLack(SettingsRecord),
  imported: Type.Optional(
    Type.Array(
      Type.Object({
        source: Type.String(),
        at: Type.Number(),
        root: Type.String(),
        rootIdentity: Type.String(),
        users: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
        notice: Type.Optional(ImportNotice),
      }),
    ),
  ),
  ...Object.fromEntries(
    listNames.map((name) => {
      const { record, isLater } = recordLists[name]
      return [name, isLater ? Type.Optional(Type.Array(record)) : Type.Array(record)]
    }),
  ),
})

/** @returns why a value does not match the current schema, or undefined */
export function stateError(value: unknown): string | undefined {
  // Checking is faster than listing the errors.
  if (!Value.Check(stateSchema, value)) {
    const [error] = Value.Errors(stateSchema, value)
    return error === undefined ? 'it does not hold what a state does' : `${placeOf(error)} ${error.message}`
  }
  const state = value as unknown as Stored
  for (const name of listNames) {
    const problem = twiceIn(name, recordLists[name].key, state[name])
    if (problem !== undefined) return problem
  }
  return usersError(state)
}

type Stored = Partial<RecordLists> & Pick<RecordLists, 'users'> & Readonly<{ lastUserId: number }>

/** Keys must be unique: everything else refers to them. */
function twiceIn(name: string, key: string, records: readonly object[] = []): string | undefined {
  const keys = new Set(records.map((record) => record[key as keyof typeof record]))
  return keys.size < records.length ? `"${name}" holds the same ${key} twice` : undefined
}

function usersError({ users, lastUserId }: Stored): string | undefined {
  if (new Set(users.map(({ username }) => username)).size < users.length) return '"users" holds the same name twice'
  return users.some(({ id }) => id > lastUserId) ? '"lastUserId" is smaller than the id of a user' : undefined
}

function placeOf({ instancePath }: { instancePath: string }) {
  return instancePath === '' ? 'the file' : `"${instancePath.slice(1).replaceAll('/', '.')}"`
}
