import { readSettings } from '../api/settings-fields.ts'
import { type HookEvent, hookEvents } from '../contract/settings.ts'
import { CallRefusal } from './call-refusal.ts'
import type { OperatorServices } from './operator-services.ts'

/** A command line that runs at an event. `number`: the place among those of its event, from 1. */
export type ShownHook = Readonly<{ event: string; number: number; line: string }>

export const hookCalls = {
  /** In the order in which those of an event run. */
  'hooks.list': async ({ state }: OperatorServices, { event }: { event?: HookEvent }): Promise<ShownHook[]> => {
    const { commands } = await state.settings()
    const events = event === undefined ? [...new Set([...hookEvents, ...Object.keys(commands)])] : [event]
    return events.flatMap((name) => (commands[name] ?? []).map((line, index) => ({ event: name, number: index + 1, line })))
  },

  /** Adds one behind the others of its event. */
  'hooks.add': async (services: OperatorServices, { event, line }: { event: HookEvent; line: string }): Promise<ShownHook> => {
    if (line.trim() === '') throw new CallRefusal('the command is empty')
    const number = await changeHooks(services, event, (lines) => [...lines, line])
    return { event, number, line }
  },

  'hooks.remove': async (
    services: OperatorServices,
    { event, number }: { event: HookEvent; number: number },
  ): Promise<ShownHook> => {
    const line = (await services.state.settings()).commands[event]?.[number - 1]
    if (line === undefined) throw new CallRefusal(`${event} has no command ${number}: hooks list shows them`)
    await changeHooks(services, event, (lines) => lines.filter((_, index) => index !== number - 1))
    return { event, number, line }
  },
}

/** @returns how many the event has then */
async function changeHooks(
  services: OperatorServices,
  event: HookEvent,
  edit: (lines: readonly string[]) => readonly string[],
): Promise<number> {
  const settings = await services.settings()
  const { settings: before, version } = settings.read()
  // Those of other events are sent too: what a change does not name of other servers' events goes.
  const lines = edit(before.commands[event])
  await settings.change(readSettings({ commands: { ...before.commands, [event]: lines } }), { versions: [version] })
  return lines.length
}
