// The settings of the server in the body of a call.
import { type TObject, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { Failure, refusedField } from '../base/failure.ts'
import { type FieldOptions, longestLine, mostLines, SettingsRecord, UserDefaults } from '../contract/records.ts'
import { hookEvents, type SettingsChange } from '../contract/settings.ts'
import { styleSheetError } from '../settings/style-sheet.ts'
import { fieldFailure, readFields, unknownField } from './user-fields.ts'

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

const Lines = Type.Array(Type.String({ maxLength: longestLine }), { maxItems: mostLines })

/** The settings to change with their values. @throws Failure('invalid') naming the first field that is unknown or has another value */
export function readSettings(body: unknown): SettingsChange {
  return readObject(SettingsRecord, body as Fields) as SettingsChange
}

/** Fields that are more than their schema says. */
const readers: Readonly<Record<string, (given: unknown) => unknown>> = {
  rules: (given) => readFields({ rules: given }, ['rules']).rules,
  shell: (given) => linesIn('shell', given),
  defaults: (given) => readDefaults(objectIn('defaults', given)),
  commands: (given) => readCommands(objectIn('commands', given)),
  'branding.css': (given) => {
    const css = checked('branding.css', SettingsRecord.properties.branding.properties.css, given)
    const problem = styleSheetError(css as string)
    if (problem !== undefined) throw refusedField('branding.css', problem)
    return css
  },
}

type ObjectSchema = Pick<TObject, 'properties'>

/** The given fields of an object. @param place of it: '' or `branding.` */
function readObject({ properties }: ObjectSchema, given: Fields, place = ''): Fields {
  checkNames(given, place, [...Object.keys(properties), ...(place === '' ? ignored[''] : [])])
  const names = Object.keys(properties).filter((name) => Object.hasOwn(given, name))
  return Object.fromEntries(names.map((name) => [name, read(`${place}${name}`, properties[name] as TSchema, given[name])]))
}

function read(field: string, schema: TSchema, given: unknown): unknown {
  const reader = readers[field]
  if (reader) return reader(given)
  return 'properties' in schema
    ? readObject(schema as TObject, objectIn(field, given), `${field}.`)
    : checked(field, schema, given)
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
    throw error instanceof Failure ? error.of(`defaults.${error.about.field}`) : error
  }
}

/** File Browser keeps events that it does not know. Only what looks like one is taken: `befor_save` would silently run nothing. */
const otherEvent = /^(before|after)_[a-z_]{1,64}$/

function readCommands(given: Fields) {
  const others = Object.keys(given).filter((name) => otherEvent.test(name))
  checkNames(given, 'commands.', [...hookEvents, ...others])
  return Object.fromEntries(Object.entries(given).map(([event, lines]) => [event, linesIn(`commands.${event}`, lines)]))
}

/** Empty lines come from clients that split an empty text, null from File Browser's for an empty list. */
function linesIn(field: string, sent: unknown): string[] {
  const given = sent ?? []
  if (!Value.Check(Lines, given)) {
    const words = 'is a list of at most {{number}} texts of at most {{length}} characters'
    throw refusedField(field, words, { number: mostLines, length: longestLine })
  }
  if (given.some((line) => line.includes('\0'))) throw refusedField(field, 'must not have a NUL character')
  return given.filter((line) => line.trim() !== '')
}

function checked(field: string, schema: TSchema, given: unknown): unknown {
  const options: FieldOptions = schema
  const { sent = schema } = options
  const isText = typeof given !== 'string' || (given.isWellFormed() && !given.includes('\0'))
  if (!isText || !Value.Check(sent, given)) throw fieldFailure(field, options)
  return given
}

function objectIn(field: string, given: unknown): Fields {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refusedField(field, 'is an object')
  return given as Fields
}

function checkNames(given: Fields, place: string, known: readonly string[]) {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unknownField(unknown, 'is no setting', place)
}
