// Writes what people do to the activity log.
import type { ActivityEntry } from '../activity/activity-line.ts'
import type { ActivityLog } from '../activity/activity-log.ts'
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { ActivityKind } from '../contract/activity.ts'
import type { Event, Events, FileAct } from '../events/events.ts'

type ActivityListeners = Readonly<{
  events: Events
  log: Pick<ActivityLog, 'add'>
  clock: Clock
  /** Whether there is a user of this name: other names are not written, because they may be passwords. */
  isKnown(name: string): Promise<boolean>
}>

/** Milliseconds for which failed sign-ins of one name, and wrong passwords of one link, from one address are joined. */
const joined = 60_000

/** Names and addresses that are joined at a time; further ones are written one by one under no name. */
const mostJoined = 1000

/** @returns what writes the failed sign-ins that still wait */
export function writeActivity({ events, log, clock, isKnown }: ActivityListeners): () => void {
  const failures = new Map<string, { entry: ActivityEntry; count: number; cancel(): void }>()
  const write = (key: string) => {
    const joinedTo = failures.get(key)
    if (!joinedTo) return
    failures.delete(key)
    joinedTo.cancel()
    log.add({ ...joinedTo.entry, count: joinedTo.count })
  }
  const wrongPassword = async (entry: ActivityEntry) => {
    const who = (await isKnown(entry.who)) ? entry.who : ''
    const key = JSON.stringify(failures.size < mostJoined ? [who, entry.from, entry.what, entry.path] : [entry.what])
    const known = failures.get(key)
    if (known) known.count++
    else failures.set(key, { entry: { ...entry, who }, count: 1, cancel: clock.after(joined, () => write(key)) })
  }
  const time = () => new Date(clock.now()).toISOString()
  events.done((event) => log.add({ ...entryOf(event, time()), result: 'done' }))
  events.failed(async (event, error) => {
    const entry = { ...entryOf(event, time()), result: 'failed', reason: reasonOf(error) } as const
    if (event.kind === 'signIn' || event.kind === 'visit') await wrongPassword(entry)
    else log.add(entry)
  })
  return () => {
    for (const key of [...failures.keys()]) write(key)
  }
}

function entryOf(event: Event, time: string): Omit<ActivityEntry, 'result'> {
  const { by, address: from, way, sender } = event
  const what: ActivityKind = event.kind
  const path = 'path' in event ? placeOf(event) : {}
  const shared = 'shared' in event ? { path: event.shared } : {}
  const command = event.kind === 'command' || event.kind === 'commandEnd' ? { path: event.folder, line: event.line } : {}
  const fields = 'fields' in event ? { fields: event.fields } : {}
  const user = event.kind === 'user' ? { act: event.act, user: event.user } : {}
  return {
    time,
    who: by.name,
    what,
    ...path,
    ...shared,
    ...command,
    ...user,
    ...fields,
    from,
    way,
    ...(sender !== undefined && { sender }),
  }
}

/** Of what comes back where it was, its path is said once. */
function placeOf({ kind, path, to, trash }: FileAct) {
  const isBack = kind === 'restore' && to === path
  return { path, ...(to !== undefined && !isBack && { to }), ...(trash !== undefined && { trash }) }
}

/** The sentence that the person saw; a fault of the server is only named. */
function reasonOf(error: unknown): string {
  return error instanceof Failure ? error.message || error.code : 'internal'
}
