// Runs the commands of events before and after each change of files.
import { joined, type Path, rootPath } from '../base/paths.ts'
import type { Event, Events, FileAct } from '../events/events.ts'
import type { HookEvent, HookReport, Hooks } from '../shell/hooks.ts'

type HookListeners = Readonly<{
  events: Events
  hooks: Hooks
  /** The served folder on this machine. */
  root: string
  /** A user's scope; undefined when the user was removed. */
  scopeOf(userId: number): string | undefined
}>

/** Before a change its commands may refuse it; after it they change nothing any more, and their failures are logged. */
export function runHooks({ events, hooks, root, scopeOf }: HookListeners): void {
  const run = async (when: 'before' | 'after', event: Event, signal?: AbortSignal) => {
    if (!('path' in event)) return
    const trigger = `${when}_${event.kind}`
    if (!hooks.has(trigger)) return
    const scope = (event.by.id === undefined ? undefined : scopeOf(event.by.id)) ?? rootPath
    await hooks.run(hookEvent({ event, trigger, scope, root, signal }))
  }
  events.before((event, signal) => run('before', event, signal))
  events.done((event) => run('after', event))
}

type Told = Readonly<{ event: Event & FileAct; trigger: string; scope: string; root: string; signal: AbortSignal | undefined }>

function hookEvent({ event, trigger, scope, root, signal }: Told): HookEvent {
  const onHost = (path: string) => joined(root as Path, path as Path)
  const variables = {
    FILE: onHost(event.path),
    SCOPE: scope,
    TRIGGER: trigger,
    USERNAME: event.by.name,
    DESTINATION: onHost(event.to ?? scope),
  }
  return { variables, userId: event.by.id, signal }
}

type Log = Readonly<Record<'info' | 'warn', (details: object, sentence: string) => void>>

/** Writes a line for each command that ran. */
export function hookReport(log: Log): (report: HookReport) => void {
  return (hook) => {
    if (hook.outcome === 'ended' && hook.code === 0) log.info({ hook }, 'a command of an event ran')
    else log.warn({ hook }, 'a command of an event failed')
  }
}
