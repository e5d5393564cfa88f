import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { checkRules } from '../access/check-rules.ts'
import { Failure } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import { hookEvents, type Settings, UserDefaults } from '../contract/settings.ts'
import { Locale, mostOf, Permissions, Sorting, UserRule } from '../contract/users.ts'

/** Bytes of the stylesheet. */
const longestStylesheet = 256 * 1024

const text = Type.String({ maxLength: 4096 })
const exact = { additionalProperties: false }
const lines = Type.Array(text, { maxItems: 100 })

const branding = Type.Object(
  {
    name: Type.String({ maxLength: 100 }),
    disableExternal: Type.Boolean(),
    disableUsedPercentage: Type.Optional(Type.Boolean()),
    theme: Type.Union([Type.Literal(''), Type.Literal('light'), Type.Literal('dark')]),
    color: Type.Optional(Type.String({ pattern: '^(#[0-9a-fA-F]{6})?$' })),
    files: text,
  },
  exact,
)

const defaults = Type.Object(
  {
    ...UserDefaults.properties,
    locale: Locale,
    perm: Type.Object(Permissions.properties, exact),
    sorting: Type.Object(Sorting.properties, exact),
    commands: Type.Array(Type.String({ maxLength: 255 }), { maxItems: mostOf.commands }),
  },
  exact,
)

/** The schema of each field, and what is valid. */
const fields: Readonly<Record<keyof Settings, readonly [schema: TSchema, words: string]>> = {
  signup: [Type.Boolean(), 'is true or false'],
  createUserDir: [Type.Boolean(), 'is true or false'],
  userHomeBasePath: [text, 'is a path'],
  defaults: [defaults, 'holds scope, locale, viewMode, sorting, perm and commands'],
  rules: [Type.Array(UserRule, { maxItems: mostOf.pathRules + mostOf.expressions }), 'is a list of rules'],
  branding: [branding, 'holds name, disableExternal, disableUsedPercentage, theme, color and files'],
  shell: [lines, 'is a list of texts'],
  commands: [Type.Record(Type.String(), lines), 'holds a list of command lines for each event'],
  css: [Type.String(), 'is a text'],
}

/** The valid settings of a body. @throws Failure('invalid') naming the field that is not */
export function checkSettings(sent: unknown): Partial<Settings> {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) throw new Failure('invalid', 'the settings are an object')
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(fields, name)) throw new Failure('invalid', `there is no setting ${name.slice(0, 100)}`)
    checkField(name as keyof Settings, value)
  }
  const settings = sent as Partial<Settings>
  checkContent(settings)
  return settings
}

function checkField(name: keyof Settings, value: unknown) {
  const [schema, words] = fields[name]
  if (Value.Check(schema, value)) return
  const [error] = Value.Errors(schema, value)
  throw new Failure(
    'invalid',
    `${name}${(error?.instancePath ?? '').replaceAll('/', '.')} ${error?.message ?? ''}: ${name} ${words}`,
  )
}

/** What a schema cannot say. */
function checkContent({ rules, defaults: template, userHomeBasePath, commands, css }: Partial<Settings>) {
  if (rules) checkRules(rules)
  if (template) parsePath(template.scope)
  if (userHomeBasePath !== undefined) parsePath(userHomeBasePath)
  const unknown = Object.keys(commands ?? {}).find((event) => !(hookEvents as readonly string[]).includes(event))
  if (unknown !== undefined) throw new Failure('invalid', `commands: there is no event ${unknown.slice(0, 100)}`)
  if (css !== undefined) checkStylesheet(css)
}

/** Nothing of other servers may be loaded. */
function checkStylesheet(css: string) {
  if (Buffer.byteLength(css) > longestStylesheet) throw new Failure('invalid', 'css has at most 256 KiB')
  const plain = withoutEscapes(css)
  if (/@import/i.test(plain)) throw new Failure('invalid', 'css must not contain @import')
  if (/\burl\s*\((?!\s*["']?data:)|image-set\s*\(|\bsrc\s*\(/i.test(plain)) {
    throw new Failure('invalid', 'css may use url() only with data:')
  }
}

/** Letters may be written as escapes (CSS Syntax, 4.3.7), which would hide a word. */
function withoutEscapes(css: string): string {
  return css
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => characterOf(Number.parseInt(hex, 16)))
    .replace(/\\([^\n])/g, '$1')
}

function characterOf(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code)
}
