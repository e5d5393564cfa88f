// The settings of the server in the body of a call.
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Failure } from '../base/failure.ts'
import { Branding, HookLimits, hookEvents, Settings, type SettingsChange, UserDefaults } from '../contract/settings.ts'
import { styleSheetError } from '../settings/style-sheet.ts'
import { printable, readFields } from './user-fields.ts'

type Fields = Readonly<Record<string, unknown>>

/** What other servers of this API keep in their settings, and what is read elsewhere: accepted and ignored. */
const ignored = {
  '': [
    'authMethod',
    'hideLoginButton',
    'logoutPage',
    'minimumPasswordLength',
    'userHomeBasePath',
    'tus',
    'fileMode',
    'dirMode',
    'hideDotfiles',
    'key',
    'current_password',
    'signupObstacle',
    'unnamedProxies',
  ],
  defaults: ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles', 'dateFormat', 'aceEditorTheme'],
}

/** Characters of a word or a line, and how many there may be in a list. */
const longestLine = 4096
const mostLines = 100
const Lines = Type.Array(Type.String({ maxLength: longestLine }), { maxItems: mostLines })

const words: Record<string, string> = {
  signup: 'is true or false',
  createUserDir: 'is true or false',
  'branding.name': 'is a text of at most 255 characters',
  'branding.disableExternal': 'is true or false',
  'branding.disableUsedPercentage': 'is true or false',
  'branding.theme': 'is empty, light or dark',
  'branding.color': 'is empty or a colour such as #2979ff',
  'branding.files': 'is the absolute path of a folder, or empty',
  'branding.css': 'is the text of a style sheet',
  'hookLimits.seconds': 'is a whole number from 1 to 600',
  'hookLimits.kilobytes': 'is a whole number from 1 to 1024',
}

const brandingSchemas: Record<string, TSchema> = {
  ...Branding.properties,
  name: Type.String({ maxLength: 255 }),
  color: Type.String({ pattern: '^(#[0-9a-fA-F]{6})?$' }),
  files: Type.String({ maxLength: longestLine }),
}

/** The settings to change with their values. @throws Failure('invalid') naming the first field that is unknown or has another value */
export function readSettings(body: unknown): SettingsChange {
  const given = body as Fields
  checkNames(given, '', [...Object.keys(Settings.properties), ...ignored['']])
  const change: Record<string, unknown> = {}
  for (const name of Object.keys(Settings.properties)) {
    if (Object.hasOwn(given, name)) change[name] = read(name, given[name])
  }
  return change as SettingsChange
}

function read(name: string, given: unknown): unknown {
  if (name === 'rules') return readFields({ rules: given }, ['rules']).rules
  if (name === 'shell') return linesIn(name, given)
  if (name === 'defaults') return readDefaults(objectIn(name, given))
  if (name === 'branding') return readBranding(objectIn(name, given))
  if (name === 'commands') return readCommands(objectIn(name, given))
  if (name === 'hookLimits') return readHookLimits(objectIn(name, given))
  return checked(name, Type.Boolean(), given)
}

function readDefaults(given: Fields) {
  const names = Object.keys(UserDefaults.properties) as (keyof UserDefaults)[]
  checkNames(given, 'defaults.', [...names, ...ignored.defaults])
  try {
    return readFields(
      // An empty view is the mosaic here, and the list in a user, as File Browser has it.
      given.viewMode === '' ? { ...given, viewMode: 'mosaic' } : given,
      names.filter((name) => Object.hasOwn(given, name)),
    )
  } catch (error) {
    throw error instanceof Failure ? new Failure('invalid', `defaults.${error.message}`, { cause: error }) : error
  }
}

function readBranding(given: Fields) {
  checkNames(given, 'branding.', Object.keys(brandingSchemas))
  const entries = Object.entries(given).map(([name, value]) => {
    const field = `branding.${name}`
    return [name, checked(field, brandingSchemas[name] as TSchema, value)] as const
  })
  const css = typeof given.css === 'string' ? styleSheetError(given.css) : undefined
  if (css !== undefined) throw new Failure('invalid', `branding.css ${css}`)
  return Object.fromEntries(entries)
}

/** File Browser keeps events that it does not know. Only what looks like one is taken: `befor_save` would silently run nothing. */
const otherEvent = /^(before|after)_[a-z_]{1,64}$/

function readCommands(given: Fields) {
  const others = Object.keys(given).filter((name) => otherEvent.test(name))
  checkNames(given, 'commands.', [...hookEvents, ...others])
  return Object.fromEntries(Object.entries(given).map(([event, lines]) => [event, linesIn(`commands.${event}`, lines)]))
}

function readHookLimits(given: Fields) {
  const schemas: Record<string, TSchema> = HookLimits.properties
  checkNames(given, 'hookLimits.', Object.keys(schemas))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, checked(`hookLimits.${name}`, schemas[name] as TSchema, value)]),
  )
}

/** Empty lines come from clients that split an empty text, null from File Browser's for an empty list. */
function linesIn(field: string, sent: unknown): string[] {
  const given = sent ?? []
  if (!Value.Check(Lines, given)) {
    throw new Failure('invalid', `${field} is a list of at most ${mostLines} texts of at most ${longestLine} characters`)
  }
  if (given.some((line) => line.includes('\0'))) throw new Failure('invalid', `${field} must not have a NUL character`)
  return given.filter((line) => line.trim() !== '')
}

function checked(field: string, schema: TSchema, given: unknown): unknown {
  const isText = typeof given !== 'string' || (given.isWellFormed() && !given.includes('\0'))
  if (!isText || !Value.Check(schema, given)) throw new Failure('invalid', `${field} ${words[field]}`)
  return given
}

function objectIn(field: string, given: unknown): Fields {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Failure('invalid', `${field} is an object`)
  return given as Fields
}

function checkNames(given: Fields, place: string, known: readonly string[]) {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Failure('invalid', `${place}${printable(unknown)} is no setting`)
}
