// The names of the settings, and their values as somebody types and reads them.
import type { TSchema } from 'typebox'
import { StartupError } from '../base/startup-error.ts'
import { SettingsRecord } from '../contract/records.ts'
import { hookEvents } from '../contract/settings.ts'
import { nearest } from '../options/nearest.ts'

type Schema = TSchema & Readonly<{ type?: string; properties?: Readonly<Record<string, Schema>>; items?: Schema }>

const all = schemasBelow(SettingsRecord as Schema)
const ofEvent = (SettingsRecord as Schema).properties?.shell as Schema
for (const event of hookEvents) all.set(`commands.${event}`, ofEvent)

/** By name, with dots: groups, and what is in them. */
function schemasBelow({ properties = {} }: Schema, place = ''): Map<string, Schema> {
  const found = Object.entries(properties).flatMap(([name, schema]): (readonly [string, Schema])[] => [
    [`${place}${name}`, schema],
    ...schemasBelow(schema, `${place}${name}.`),
  ])
  return new Map(found)
}

/** @throws StartupError naming the nearest */
export function checkSettingName(name: string): void {
  if (all.has(name)) return
  const near = nearest(name, [...all.keys()])
  const advice = near === undefined ? 'holdall config show lists them.' : `did you mean ${near}?`
  throw new StartupError(`There is no setting "${name}": ${advice}`)
}

/** The value that a text stands for. @throws StartupError saying what would be right */
export function settingValue(name: string, text: string): unknown {
  checkSettingName(name)
  const { type, items } = all.get(name) as Schema
  if (type === 'boolean') return yesOrNo(name, text)
  if (type === 'integer') return numberIn(name, text)
  const isList = type === 'array'
  const [, event] = /^commands\.(.+)$/.exec(name) ?? []
  if (event !== undefined && !text.trimStart().startsWith('['))
    throw new StartupError(`${name} holds whole command lines: holdall hooks add ${event} LINE adds one, or give them as JSON.`)
  if (isList && items?.type === 'string' && !text.trimStart().startsWith('['))
    return text.split(/\s+/).filter((word) => word !== '')
  if (!isList && type !== 'object') return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    const one = [...all.keys()].find((other) => other.startsWith(`${name}.`))
    const advice = one === undefined ? '' : `, or name one of its settings, such as ${one}`
    throw new StartupError(`${name} holds ${isList ? 'a list' : 'several settings'}: give JSON${advice}.`, { cause })
  }
}

function yesOrNo(name: string, text: string): boolean {
  if (['yes', 'true', 'on'].includes(text)) return true
  if (['no', 'false', 'off'].includes(text)) return false
  throw new StartupError(`${name} is yes or no, and not "${text}".`)
}

function numberIn(name: string, text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new StartupError(`${name} is a whole number, and not "${text}".`)
}

/** As it may be typed. */
export function settingText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
