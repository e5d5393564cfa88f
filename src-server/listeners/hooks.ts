// Runs the commands of events before and after each change of files.
import { isWithin, joined, nameOf, type Path, parentOf, rootPath } from '../base/paths.ts'
import type { Event, Events, FileAct } from '../events/events.ts'
import type { HookVariables } from '../shell/hook-line.ts'
import type { HookReport, Hooks } from '../shell/hooks.ts'

type HookListeners = Readonly<{
  events: Events
  hooks: Hooks
  /** The served folder on this machine. */
  root: string
  /** A user's scope; undefined when the user was removed. */
  scopeOf(userId: number): Promise<string | undefined>
  /** The path on this machine of what a path of the served root leads to; undefined when nothing is there. */
  hostPathOf(path: Path): Promise<string | undefined>
}>

/** Before a change its commands may refuse it; after it they change nothing any more, and their failures are logged. */
export function runHooks({ events, hooks, scopeOf, ...places }: HookListeners): void {
  const run = async (when: 'before' | 'after', event: Event, signal?: AbortSignal) => {
    if (!('path' in event)) return
    const trigger = `${when}_${event.kind}`
    if (!(await hooks.has(trigger))) return
    const scope = (event.by.id === undefined ? undefined : await scopeOf(event.by.id)) ?? rootPath
    const variables = await variablesOf(event, { trigger, scope }, places)
    await hooks.run({ variables, userId: event.by.id, signal })
  }
  events.before((event, signal) => run('before', event, signal))
  events.done((event) => run('after', event))
}

type Places = Pick<HookListeners, 'root' | 'hostPathOf'>

async function variablesOf(
  event: Event & FileAct,
  { trigger, scope }: { trigger: string; scope: string },
  places: Places,
): Promise<HookVariables> {
  // What is written to a link goes to its target; the other changes are of the link itself.
  const follows = event.kind === 'save' || event.kind === 'upload'
  const file = follows ? await pathOfTarget(event.path, places) : await pathOfName(event.path, places)
  const destination = event.to === undefined ? joined(places.root as Path, scope as Path) : await pathOfName(event.to, places)
  return { FILE: file, SCOPE: scope, TRIGGER: trigger, USERNAME: event.by.name, DESTINATION: destination }
}

/** Below the root as it was named, however that leads to the folder. */
async function pathOfTarget(path: Path, places: Places): Promise<string> {
  const { root, hostPathOf } = places
  const [found, top] = await Promise.all([hostPathOf(path), hostPathOf(rootPath)])
  if (found === undefined) return pathOfName(path, places)
  const isInside = top !== undefined && isWithin(found as Path, top as Path)
  return isInside ? joined(root as Path, (found.slice(top === '/' ? 0 : top.length) || '/') as Path) : found
}

/** By the folder in which the name stands, without links on the way. Where that is not there yet, by the one above. */
async function pathOfName(path: Path, places: Places): Promise<string> {
  if (path === rootPath) return places.root
  return joined((await pathOfTarget(parentOf(path), places)) as Path, `/${nameOf(path)}` as Path)
}

type Log = Readonly<Record<'info' | 'warn', (details: object, sentence: string) => void>>

/** Writes a line for each command that ran. */
export function hookReport(log: Log): (report: HookReport) => void {
  return (hook) => {
    if (hook.outcome === 'ended' && hook.code === 0) log.info({ hook }, 'a command of an event ran')
    else log.warn({ hook }, 'a command of an event failed')
  }
}
