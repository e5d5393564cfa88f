import { isWithin, joined, type Path, parsePath } from '../base/paths.ts'
import type { Event, Events, FileAct } from '../events/events.ts'
import type { StoredLink } from '../state/state-data.ts'
import type { LinkChange, Shares } from './shares.ts'
import { pathBelow } from './target.ts'
import type { Things } from './things.ts'

type FollowChangesParts = Readonly<{ events: Events; shares: Shares; things: Things }>

/**
 * Links follow what they lead to when this server moves, renames or replaces its content, and end when it is deleted. Whatever
 * else happens to a file is noticed by its identity.
 */
export function followChanges({ events, shares, things }: FollowChangesParts): void {
  events.surround(async (event) => {
    if (!('path' in event) || shares.stored().length === 0) return undefined
    const from = await things.truePathOf(event.path)
    if (from === undefined) return undefined
    const linked = shares.stored().filter(({ path }) => isWithin(path as Path, from))
    return linked.length === 0 ? undefined : following({ shares, things }, event, from, linked)
  })
}

type Linked = readonly StoredLink[]
type After = (isDone: boolean) => Promise<void>

function following(parts: Omit<FollowChangesParts, 'events'>, event: Event & FileAct, from: Path, linked: Linked) {
  switch (event.kind) {
    case 'upload':
    case 'save':
      return replacing(parts, from, linked)
    case 'rename':
      return event.to === undefined ? undefined : moving(parts, { from, to: event.to }, linked)
    case 'delete':
      return deleting(parts, linked)
    default:
      return undefined
  }
}

/** A file that is replaced by its next version is still what was shared: if it was so before. */
async function replacing({ shares, things }: Omit<FollowChangesParts, 'events'>, from: Path, linked: Linked): Promise<After> {
  const present = await things.identify(from)
  const same = linked.filter(({ path, isDir, identity }) => path === from && !isDir && identity === present)
  const over = shares.allowReplacing(same)
  return async (isDone) => {
    try {
      const identity = isDone && same.length > 0 ? await things.identify(from) : undefined
      if (identity !== undefined) await shares.change(new Map(same.map(({ hash }) => [hash, { identity }])))
    } finally {
      over()
    }
  }
}

/** @param linked lead to something at or below `from` */
async function moving(
  { shares, things }: Omit<FollowChangesParts, 'events'>,
  { from, to }: Record<'from' | 'to', Path>,
  linked: Linked,
): Promise<After> {
  const below = ({ path }: StoredLink) => pathBelow(from, parsePath(path)) ?? from
  const inPlace: StoredLink[] = []
  const taken = new Set<StoredLink>()
  for (const link of linked) {
    const present = await things.identify(parsePath(link.path))
    // A link whose thing has gone does not follow another of its name.
    if (link.identity !== '' && present !== link.identity) continue
    inPlace.push(link)
    if (link.isDir && (await things.identify(joined(to, below(link)))) !== undefined) taken.add(link)
  }
  return async (isDone) => {
    const target = isDone ? await things.truePathOf(to) : undefined
    if (target === undefined) return
    const changes = new Map<string, LinkChange>()
    for (const link of inPlace) {
      const path = joined(target, below(link))
      const identity = await things.identify(path)
      // What was merged into another folder is no longer what was shared, which would show the other folder.
      const isMerged = identity !== link.identity && taken.has(link)
      if (identity !== undefined && !isMerged) changes.set(link.hash, { path, identity })
    }
    await shares.change(changes)
  }
}

async function deleting({ shares }: Pick<FollowChangesParts, 'shares'>, linked: Linked): Promise<After> {
  return async (isDone) => {
    if (isDone) await shares.removeAll(new Set(linked.map(({ hash }) => hash)))
  }
}
