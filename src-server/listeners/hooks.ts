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
    if (!('path' in event) || event.kind === 'purge') return
    const change = changeOf(event)
    const trigger = `${when}_${change.kind}`
    if (!(await hooks.has(trigger))) return
    const scope = (event.by.id === undefined ? undefined : await scopeOf(event.by.id)) ?? rootPath
    const variables = await variablesOf(change, { trigger, scope, name: event.by.name }, places)
    const isOfStranger = event.way === 'request'
    // Strangers do not wait among the commands of the owner, nor the owner among theirs.
    await hooks.run({ variables, userId: isOfStranger ? undefined : event.by.id, isOfStranger, signal })
  }
  events.before((event, signal) => run('before', event, signal))
  events.done((event) => run('after', event))
}

type Change = Readonly<{ kind: string; path: Path; to?: Path | undefined; follows: boolean }>

/** What comes back from the trash or is made of an archive is new, as what is uploaded: it gets past no command that asks about uploads. */
function changeOf({ kind, path, to }: FileAct): Change {
  if (kind === 'restore' || kind === 'compress' || kind === 'extract') return { kind: 'upload', path: to ?? path, follows: false }
  // What is written to a link goes to its target; the other changes are of the link itself.
  return { kind, path, to, follows: kind === 'save' || kind === 'upload' }
}

type Places = Pick<HookListeners, 'root' | 'hostPathOf'>

async function variablesOf(
  { path, to, follows }: Change,
  { trigger, scope, name }: { trigger: string; scope: string; name: string },
  places: Places,
): Promise<HookVariables> {
  const file = follows ? await pathOfTarget(path, places) : await pathOfName(path, places)
  const destination = to === undefined ? joined(places.root as Path, scope as Path) : await pathOfName(to, places)
  return { FILE: file, SCOPE: scope, TRIGGER: trigger, USERNAME: name, DESTINATION: destination }
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
