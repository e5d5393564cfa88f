// What File Browser 2.0 to 2.63 stores, under the names of its JSON. Fields that came later are optional; those that every version
// writes, and without which a right would be wider, are not.
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { SourceFault } from './source-file.ts'

/** So that there are many ids after the highest one: a state takes them up to 2 ** 52. */
export const highestId = 2 ** 31

const whole = Type.Integer({ minimum: 0, maximum: highestId })
const text = Type.String()
const flag = Type.Optional(Type.Boolean())
const word = Type.Optional(text)
/** An empty list of Go is null. */
const list = <S extends TSchema>(items: S) => Type.Union([Type.Array(items), Type.Null()])

const Permissions = Type.Object({
  admin: Type.Boolean(),
  execute: Type.Boolean(),
  create: Type.Boolean(),
  rename: Type.Boolean(),
  modify: Type.Boolean(),
  delete: Type.Boolean(),
  share: Type.Boolean(),
  download: Type.Boolean(),
})

const Sorting = Type.Object({ by: text, asc: Type.Boolean() })

const Rule = Type.Object({
  regex: Type.Boolean(),
  allow: Type.Boolean(),
  path: text,
  regexp: Type.Optional(Type.Union([Type.Object({ raw: text }), Type.Null()])),
})

const later = { singleClick: flag, hideDotfiles: flag, dateFormat: flag, redirectAfterCopyMove: flag, aceEditorTheme: word }

const User = Type.Object({
  id: whole,
  username: text,
  password: text,
  scope: text,
  locale: word,
  lockPassword: Type.Boolean(),
  viewMode: word,
  perm: Permissions,
  commands: list(text),
  sorting: Sorting,
  rules: list(Rule),
  ...later,
})
export type SourceUser = Static<typeof User>

const Link = Type.Object({
  hash: text,
  path: text,
  userID: whole,
  /** Seconds since the epoch; 0 never expires. */
  expire: Type.Integer(),
  password_hash: word,
  token: word,
})
export type SourceLink = Static<typeof Link>

const Settings = Type.Object({
  /** Bytes: base64, or a list of numbers in YAML. */
  key: Type.Optional(Type.Union([Type.String(), Type.Array(Type.Integer()), Type.Null()])),
  signup: Type.Boolean(),
  createUserDir: Type.Boolean(),
  defaults: Type.Object({
    scope: text,
    locale: word,
    viewMode: word,
    sorting: Type.Optional(Sorting),
    perm: Permissions,
    commands: Type.Optional(list(text)),
    ...later,
  }),
  authMethod: text,
  branding: Type.Optional(
    Type.Object({
      name: word,
      disableExternal: flag,
      disableUsedPercentage: flag,
      files: word,
      theme: word,
      color: word,
    }),
  ),
  commands: Type.Optional(Type.Union([Type.Record(text, list(text)), Type.Null()])),
  shell: Type.Optional(list(text)),
  rules: list(Rule),
  userHomeBasePath: word,
  tus: Type.Optional(Type.Object({ chunkSize: Type.Optional(Type.Number()), retryCount: Type.Optional(Type.Number()) })),
  hideLoginButton: flag,
  logoutPage: word,
  minimumPasswordLength: Type.Optional(whole),
  fileMode: Type.Optional(whole),
  dirMode: Type.Optional(whole),
  hideDotfiles: flag,
})
export type SourceSettings = Static<typeof Settings>

const Server = Type.Object({
  root: text,
  baseURL: word,
  socket: word,
  tlsKey: word,
  tlsCert: word,
  port: word,
  address: word,
  log: word,
  enableThumbnails: flag,
  resizePreview: flag,
  /** Since 2.8. */
  enableExec: flag,
  typeDetectionByHeader: flag,
  imageResolutionCalculation: flag,
  // The same and another one in exports in YAML, which have the names of the program.
  imageResolutionCal: flag,
  caseInsensitiveFs: flag,
  authHook: word,
  tokenExpirationTime: word,
  followExternalSymlinks: flag,
})
export type SourceServer = Static<typeof Server>

/** The sign-in: its fields are those of all methods. */
const Auther = Type.Object({
  recaptcha: Type.Optional(Type.Union([Type.Object({ host: word, key: word, secret: word }), Type.Null()])),
  header: word,
  command: word,
})
export type SourceAuther = Static<typeof Auther>

const schemas = { user: User, link: Link, settings: Settings, server: Server, auther: Auther }
export type SourceKind = keyof typeof schemas
/** Compiled: there are many users and links. */
const validators = Object.fromEntries(Object.entries(schemas).map(([kind, schema]) => [kind, Compile<TSchema>(schema)]))
type Records = { user: SourceUser; link: SourceLink; settings: SourceSettings; server: SourceServer; auther: SourceAuther }

/** All that a database or the exports hold. */
export type SourceContent = Readonly<{
  users: readonly SourceUser[]
  /** Exports have none. */
  links: readonly SourceLink[]
  settings?: SourceSettings
  server?: SourceServer
  auther?: SourceAuther
  /** The highest id that was ever given to a user. */
  lastId: number
  /** Names of fields that no version of File Browser is known to write, with their record. */
  unknown: readonly string[]
}>

/**
 * A record as its schema says. Names count in any case: exports in YAML have them in lower case.
 * @param place of the record, for sentences: `user 3`
 * @param unknown gets the fields that no schema names
 * @throws SourceFault naming the field
 */
export function recordOf<K extends SourceKind>(kind: K, value: unknown, { place, unknown }: RecordPlace): Records[K] {
  const spelt = speltAs(schemas[kind], value, { place, unknown })
  if (validators[kind]?.Check(spelt)) return spelt as Records[K]
  const [error] = validators[kind]?.Errors(spelt) ?? []
  const field = error?.instancePath.slice(1).replaceAll('/', '.') ?? ''
  throw new SourceFault(`is damaged: ${place}${field === '' ? '' : `, ${field}`}: ${error?.message ?? 'is no such record'}`)
}

export type RecordPlace = Readonly<{ place: string; unknown: string[] }>

/** The fields that the schema names, under its names. */
function speltAs(schema: TSchema, value: unknown, where: RecordPlace): unknown {
  const alternatives = 'anyOf' in schema ? (schema.anyOf as TSchema[]) : [schema]
  const chosen = alternatives.find((one) => 'type' in one && one.type === (Array.isArray(value) ? 'array' : 'object'))
  if (typeof value !== 'object' || value === null || chosen === undefined) return value
  if (Array.isArray(value)) return value.map((item) => speltAs((chosen as { items: TSchema }).items, item, where))
  if (!('properties' in chosen)) return value
  return objectAs(chosen as TObject, value as Readonly<Record<string, unknown>>, where)
}

function objectAs({ properties }: TObject, value: Readonly<Record<string, unknown>>, { place, unknown }: RecordPlace): unknown {
  const fields: Record<string, unknown> = {}
  for (const [given, field] of Object.entries(value)) {
    const name = Object.hasOwn(properties, given)
      ? given
      : Object.keys(properties).find((one) => one.toLowerCase() === given.toLowerCase())
    if (name !== undefined) fields[name] = speltAs(properties[name] as TSchema, field, { place, unknown })
    else if (unknown.length < mostUnknown) unknown.push(`${place}: ${given.slice(0, 64)}`)
  }
  return fields
}

/** More say no more. */
const mostUnknown = 100
