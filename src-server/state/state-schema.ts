import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { StateData } from './state-data.ts'

const rule = Type.Object({
  allow: Type.Boolean(),
  path: Type.String(),
  regex: Type.Boolean(),
  regexp: Type.Object({ raw: Type.String() }),
})

const permissions = Type.Object({
  admin: Type.Boolean(),
  execute: Type.Boolean(),
  create: Type.Boolean(),
  rename: Type.Boolean(),
  modify: Type.Boolean(),
  delete: Type.Boolean(),
  share: Type.Boolean(),
  download: Type.Boolean(),
})

const defaults = {
  scope: Type.String(),
  locale: Type.String(),
  viewMode: Type.Union([Type.Literal('mosaic'), Type.Literal('list')]),
  sorting: Type.Object({
    by: Type.Union([Type.Literal('name'), Type.Literal('size'), Type.Literal('modified')]),
    asc: Type.Boolean(),
  }),
  perm: permissions,
  commands: Type.Array(Type.String()),
}

const user = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  username: Type.String({ minLength: 1 }),
  password: Type.String(),
  ...defaults,
  lockPassword: Type.Boolean(),
  rules: Type.Array(rule),
  changedAt: Type.Number(),
})

const session = Type.Object({
  id: Type.String({ minLength: 1 }),
  userId: Type.Integer(),
  createdAt: Type.Number(),
  usedAt: Type.Number(),
  provenAt: Type.Optional(Type.Number()),
  expiresAt: Type.Optional(Type.Number()),
  address: Type.Optional(Type.String()),
  agent: Type.Optional(Type.String()),
})

const link = Type.Object({
  hash: Type.String({ pattern: '^[A-Za-z0-9_=-]{1,128}$' }),
  userId: Type.Integer(),
  path: Type.String({ pattern: '^/' }),
  isDir: Type.Boolean(),
  password: Type.Optional(Type.String({ minLength: 1 })),
  note: Type.Optional(Type.String()),
  mostDownloads: Type.Optional(Type.Integer({ minimum: 1 })),
  identity: Type.String(),
  expire: Type.Integer({ minimum: 0 }),
  createdAt: Type.Integer(),
})

const settings = Type.Object({
  signup: Type.Boolean(),
  createUserDir: Type.Boolean(),
  rules: Type.Array(rule),
  branding: Type.Object({
    name: Type.String(),
    disableExternal: Type.Boolean(),
    // Later than the others: states from before do not have it.
    disableUsedPercentage: Type.Optional(Type.Boolean()),
    theme: Type.String(),
    files: Type.String(),
    color: Type.Optional(Type.String()),
    css: Type.Optional(Type.String()),
  }),
  // Later than the others too.
  defaults: Type.Optional(Type.Object(defaults)),
  shell: Type.Optional(Type.Array(Type.String())),
  commands: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  hookLimits: Type.Optional(Type.Object({ seconds: Type.Integer({ minimum: 1 }), kilobytes: Type.Integer({ minimum: 1 }) })),
})

/** The current schema. Additional fields are kept. */
const stateSchema = Type.Object({
  schema: Type.Integer({ minimum: 1 }),
  instance: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  keys: Type.Array(Type.Object({ kid: Type.String({ minLength: 1 }), secret: Type.String({ minLength: 43 }) }), { minItems: 1 }),
  lastUserId: Type.Integer({ minimum: 0 }),
  settings,
  users: Type.Array(user),
  sessions: Type.Array(session),
  links: Type.Optional(Type.Array(link)),
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

// Does not compile when the schema and the type differ.
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
const isSame: Same<Frozen<Static<typeof stateSchema>>, StateData> = true
void isSame
