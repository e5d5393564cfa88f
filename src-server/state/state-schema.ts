import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { LinkRecord, SessionRecord, SettingsRecord, UserRecord } from '../contract/records.ts'

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
  keys: Type.Array(Type.Object({ kid: Type.String({ minLength: 1 }), secret: Type.String({ minLength: 43 }) }), { minItems: 1 }),
  lastUserId: Type.Integer({ minimum: 0 }),
  settings: mayLack(SettingsRecord),
  users: Type.Array(UserRecord),
  sessions: Type.Array(SessionRecord),
  // Later than the others: states from before do not have it.
  links: Type.Optional(Type.Array(LinkRecord)),
})

/** @returns why a value does not match the current schema, or undefined */
export function stateError(value: unknown): string | undefined {
  // Checking is faster than listing the errors.
  if (!Value.Check(stateSchema, value)) {
    const [error] = Value.Errors(stateSchema, value)
    return error === undefined ? 'it does not hold what a state does' : `${placeOf(error)} ${error.message}`
  }
  const state = value as Static<typeof stateSchema>
  return usersError(state) ?? linksError(state)
}

/** Ids and names must be unique: everything else refers to them. */
function usersError({ users, lastUserId }: Static<typeof stateSchema>): string | undefined {
  if (new Set(users.map(({ id }) => id)).size < users.length) return '"users" holds the same id twice'
  if (new Set(users.map(({ username }) => username)).size < users.length) return '"users" holds the same name twice'
  return users.some(({ id }) => id > lastUserId) ? '"lastUserId" is smaller than the id of a user' : undefined
}

function linksError({ links = [] }: Static<typeof stateSchema>): string | undefined {
  return new Set(links.map(({ hash }) => hash)).size < links.length ? '"links" holds the same hash twice' : undefined
}

function placeOf({ instancePath }: { instancePath: string }) {
  return instancePath === '' ? 'the file' : `"${instancePath.slice(1).replaceAll('/', '.')}"`
}
