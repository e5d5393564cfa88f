import { isDeepStrictEqual } from 'node:util'
import { readSettings } from '../api/settings-fields.ts'
import type { Settings } from '../contract/settings.ts'
import { CallRefusal } from './call-refusal.ts'
import type { OperatorServices } from './operator-services.ts'

type Values = Readonly<Record<string, unknown>>

export const configCalls = {
  'config.show': async (services: OperatorServices, _input: object): Promise<Settings> =>
    (await services.settings()).read().settings,

  /** @param input.name of a setting, with dots: `branding.name` @returns its value from now on */
  'config.set': async (
    services: OperatorServices,
    { name, value }: { name: string; value: unknown },
  ): Promise<{ name: string; value: unknown }> => {
    const settings = await services.settings()
    const { settings: before, version } = settings.read()
    const changed = await settings.change(readSettings(bodyWith(before, name.split('.'), value)), { versions: [version] })
    return { name, value: valueAt(changed.settings, name.split('.')) }
  },

  /** Sets what the given settings have; the others stay. @returns the names of those that differ now */
  'config.import': async (
    services: OperatorServices,
    { settings: given }: { settings: unknown },
  ): Promise<{ changed: string[] }> => {
    if (!isObject(given)) throw new CallRefusal('the file must hold the settings that config export writes')
    if (isObject(given.settings))
      throw new CallRefusal('the file is an export of File Browser: holdall import FILE --root DIR brings it over')
    const settings = await services.settings()
    const { settings: before, version } = settings.read()
    const { settings: after } = await settings.change(readSettings(given), { versions: [version] })
    return { changed: differing(before, after) }
  },
}

export const servedCalls = {
  /** @param input.path of the host, which is there @returns whether people can read what is there through the server */
  'files.serves': async ({ isServed }: OperatorServices, { path }: { path: string }): Promise<boolean> => isServed(path),
}

/** What sets one setting. Of a group only what is set is sent, so that nothing else of it is checked. */
function bodyWith(before: Values, [first = '', second, ...rest]: readonly string[], value: unknown): Values {
  if (second === undefined) return { [first]: value }
  const group = Object(before[first]) as Values
  // A change of the commands says which events of other servers there are.
  const others = first === 'commands' ? group : {}
  return { [first]: { ...others, [second]: replaced(group[second], rest, value) } }
}

function replaced(before: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value
  const fields = Object(before) as Values
  return { ...fields, [first]: replaced(fields[first], rest, value) }
}

function valueAt(settings: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    settings,
  )
}

function differing(before: Values, after: Values, place = ''): string[] {
  return Object.keys(after).flatMap((name) => {
    const [one, other] = [before[name], after[name]]
    if (isDeepStrictEqual(one, other)) return []
    return isObject(one) && isObject(other) ? differing(one, other, `${place}${name}.`) : [`${place}${name}`]
  })
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
