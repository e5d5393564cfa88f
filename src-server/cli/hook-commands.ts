import { StartupError } from '../base/startup-error.ts'
import { type HookEvent, hookEvents } from '../contract/settings.ts'
import { visible } from '../import/plan-notes.ts'
import { nearest } from '../options/nearest.ts'
import type { StateCommand } from '../options/subcommands.ts'
import { type Command, tableOf } from './command.ts'
import { numberIn } from './rule-commands.ts'

export const hookCommands = {
  'hooks list': async ({ args: [event], ask }) => {
    const hooks = await ask('hooks.list', event === undefined ? {} : { event: eventIn(event) })
    const rows = hooks.map(({ event: name, number, line }) => [name, String(number), line])
    return { value: hooks, text: tableOf(['EVENT', 'NUMBER', 'COMMAND'], rows) }
  },

  'hooks add': async ({ args: [event = '', line = ''], ask }) => {
    const added = await ask('hooks.add', { event: eventIn(event), line })
    const text = `Command ${added.number} of ${added.event} is: ${visible(added.line)}\nIt runs where the server has --enable-exec.\n`
    return { value: added, text }
  },

  'hooks remove': async ({ args: [event = '', number = ''], ask }) => {
    const removed = await ask('hooks.remove', { event: eventIn(event), number: numberIn(number, 'command', 'hooks list') })
    return { value: removed, text: `Command ${removed.number} of ${removed.event} is removed: ${visible(removed.line)}\n` }
  },
} as const satisfies Partial<Record<StateCommand, Command>>

/** @throws StartupError naming the nearest */
function eventIn(text: string): HookEvent {
  const event = hookEvents.find((one) => one === text)
  if (event !== undefined) return event
  const near = nearest(text, hookEvents)
  const advice = near === undefined ? `they are ${hookEvents.join(', ')}.` : `did you mean ${near}?`
  throw new StartupError(`There is no event "${text}": ${advice}`)
}
