import type { ResultOf } from '../control/calls.ts'
import { visible } from '../import/plan-notes.ts'
import type { StateCommand } from '../options/subcommands.ts'
import { type Command, jsonIn, tableOf } from './command.ts'
import { checkSettingName, settingText, settingValue } from './setting-values.ts'

type Settings = ResultOf<'config.show'>

export const configCommands = {
  'config show': async ({ args: [name], ask, console }) => {
    if (name !== undefined) checkSettingName(name)
    const settings = await ask('config.show', {})
    if (name === undefined) return { value: settings, text: settingsTable(settings) }
    const value = name.split('.').reduce<unknown>((group, part) => (Object(group) as Record<string, unknown>)[part], settings)
    const lines = settingText(value).split('\n')
    return { value, text: `${(console.isTerminal ? lines.map(visible) : lines).join('\n')}\n` }
  },

  'config set': async ({ args: [name = '', text = ''], ask }) => {
    const set = await ask('config.set', { name, value: settingValue(name, text) })
    return { value: set, text: `${name} is ${visible(settingText(set.value)) || 'empty'}\n` }
  },

  'config export': async ({ args: [path = '-'], ask }) => {
    const settings = await ask('config.show', {})
    const text = `${JSON.stringify(settings, undefined, 2)}\n`
    if (path === '-') return { value: settings, text }
    return { value: { file: path }, text: `The settings are in ${path}.\n`, file: { path, text } }
  },

  'config import': async ({ args: [file = ''], ask, console }) => {
    const { changed } = await ask('config.import', { settings: await jsonIn(console, file) })
    const text = changed.length === 0 ? 'All settings were so already.\n' : `Changed: ${visible(changed.join(', '))}\n`
    return { value: { changed }, text }
  },
} as const satisfies Partial<Record<StateCommand, Command>>

/** Characters of a value in the table. */
const mostShown = 120

function settingsTable({ rules, commands, ...settings }: Settings): string {
  const events = Object.fromEntries(Object.entries(commands).filter(([, lines]) => lines.length > 0))
  const rows = rowsOf({ ...settings, commands: events }).map(([name, value]) => [
    name,
    value.length > mostShown ? `${value.slice(0, mostShown)}…` : value,
  ])
  return tableOf(['NAME', 'VALUE'], [...rows, ['rules', `${rules.length} (holdall rules list shows them)`]])
}

function rowsOf(group: object, place = ''): [name: string, value: string][] {
  return Object.entries(group).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? rowsOf(value, `${place}${name}.`)
      : [[`${place}${name}`, settingText(value)]],
  )
}
