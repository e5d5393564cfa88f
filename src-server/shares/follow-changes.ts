import { orAborted } from '../base/or-aborted.ts'
import { joined, type Path, parsePath, pathBelow } from '../base/paths.ts'
import type { AfterChange, Event, Events, FileAct } from '../events/events.ts'
import type { LinkChange } from '../state/link-commands.ts'
import type { StoredAnyLink } from '../state/state-data.ts'
import type { ObjectIdentities } from './object-identities.ts'
import type { Shares } from './shares.ts'
import type { TrashedLinks } from './trashed-links.ts'

type FollowChangesParts = Readonly<{ events: Events; shares: Shares; objectIdentities: ObjectIdentities; trashed: TrashedLinks }>

type LinkParts = Pick<FollowChangesParts, 'shares' | 'objectIdentities'>

/**
 * Links follow what they lead to when this server moves, renames or replaces its content, lead nowhere while it is in the trash, and
 * end when it is deleted for good. Whatever else happens to a file is noticed by its identity.
 */
export function followChanges({ events, shares, objectIdentities, trashed }: FollowChangesParts): void {
  events.surround(async (event) => {
    if (!('path' in event) || !(await shares.any())) return undefined
    if (event.trash !== undefined) return followingTrash({ shares, objectIdentities, trashed }, event, event.trash)
    const from = await objectIdentities.truePathOf(event.path)
    if (from === undefined) return undefined
    const linked = await shares.below(from)
    return linked.length === 0 ? undefined : following({ shares, objectIdentities }, event, from, linked)
  })
}

/** What goes into the trash, comes back from there, or is removed from there. @param item its id */
async function followingTrash(
  { shares, objectIdentities, trashed }: Omit<FollowChangesParts, 'events'>,
  { kind, path, to, isDir }: Event & FileAct,
  item: string,
): Promise<AfterChange | undefined> {
  if (kind === 'purge') return async (done) => done && trashed.purged(item)
  if (kind === 'restore' && to !== undefined) {
    const replaced = await coming({ shares, objectIdentities }, to, isDir)
    return async (done) => {
      try {
        await replaced?.(done)
      } finally {
        if (done) await trashed.back({ item, from: path, to })
      }
    }
  }
  const from = kind === 'delete' ? await objectIdentities.truePathOf(path) : undefined
  return from && trashed.going({ item, from })
}

/** What comes back takes the place of another. A file that was replaced by a file is still what was shared; the others end. */
async function coming(parts: LinkParts, to: Path, isDir: boolean): Promise<AfterChange | undefined> {
  const at = await parts.objectIdentities.truePathOf(to)
  const linked = at === undefined ? [] : await parts.shares.below(at)
  if (at === undefined || linked.length === 0) return undefined
  if (isDir) return deleting(parts, linked)
  const files = linked.filter((link) => link.path === at && !link.isDir)
  const [kept, ended] = [
    await replacing(parts, at, files),
    await deleting(
      parts,
      linked.filter((link) => !files.includes(link)),
    ),
  ]
  return (done) => kept(done).finally(() => ended(done))
}

type Linked = readonly StoredAnyLink[]

function following(parts: LinkParts, event: Event & FileAct, from: Path, linked: Linked) {
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
async function replacing({ shares, objectIdentities }: LinkParts, from: Path, linked: Linked): Promise<AfterChange> {
  const present = await objectIdentities.identify(from)
  const same = linked.filter(({ path, isDir, identity }) => path === from && !isDir && identity === present)
  const over = shares.allowReplacing(same)
  return async (done) => {
    try {
      const identity = done && same.length > 0 ? await objectIdentities.identify(from) : undefined
      if (identity !== undefined) await shares.change(same.map(({ hash }) => [hash, { identity }]))
    } finally {
      over()
    }
  }
}

/**
 * What is renamed as a whole is the same below too, so that nothing of it is asked: there may be thousands of links. What is merged
 * into another folder, or copied to another device, is asked before and after, link by link.
 * @param linked lead to something at or below `from`
 */
async function moving(parts: LinkParts, { from, to }: Move, linked: Linked): Promise<AfterChange> {
  const { shares, objectIdentities } = parts
  const [moved, replaced] = await objectIdentities.identifyAll([from, to])
  const mayBeWhole = moved !== '' && replaced === undefined
  const inPlace = mayBeWhole && linked.length > mostAsked ? [] : await inPlaceOf(parts, { from, to }, linked)
  return async (done) => {
    if (!done)
      return mayBeWhole ? undefined : orAborted(partlyMoved(parts, { from, to }, inPlace), AbortSignal.timeout(longestAsked))
    const target = await objectIdentities.truePathOf(to)
    if (target === undefined) return
    const isWhole = mayBeWhole && (await objectIdentities.identify(target)) === moved
    const changes = isWhole ? linked.map((link) => renamed(link, { from, to: target })) : undefined
    await shares.change(changes ?? (await movedOneByOne(parts, { from, to: target }, inPlace)))
  }
}

/** Milliseconds for which a move that has failed waits for that: its disk may not answer. It goes on all the same. */
const longestAsked = 5000

/** A merge may fail with single entries, which stay: a link to one does not follow another of its name. The others have been moved. */
async function partlyMoved(
  { shares, objectIdentities }: LinkParts,
  { from, to }: Move,
  inPlace: readonly InPlace[],
): Promise<void> {
  const target = await objectIdentities.truePathOf(to)
  if (target === undefined) return
  const before = new Map(inPlace.map(({ link }) => [link.hash, link.identity]))
  const moved = await movedOneByOne({ objectIdentities }, { from, to: target }, inPlace)
  await shares.change(moved.filter(([hash, { identity }]) => identity !== '' && identity === before.get(hash)))
}

/** Links that are asked about before a move even if it is likely to be a rename, which some systems refuse for some folders. */
const mostAsked = 200

type Move = Readonly<{ from: Path; to: Path }>
type Changed = readonly [hash: string, change: LinkChange]
/** `isTaken`: there was something of its name in the folder that it is moved to. */
type InPlace = Readonly<{ link: StoredAnyLink; isTaken: boolean }>

const below = ({ path }: StoredAnyLink, from: Path): Path => pathBelow(from, parsePath(path)) ?? from
const renamed = (link: StoredAnyLink, { from, to }: Move): Changed => [link.hash, { path: joined(to, below(link, from)) }]

/** A link whose entry has gone does not follow another of its name. */
async function inPlaceOf(
  { objectIdentities }: Pick<FollowChangesParts, 'objectIdentities'>,
  { from, to }: Move,
  linked: Linked,
): Promise<InPlace[]> {
  const present = await objectIdentities.identifyAll(linked.map(({ path }) => parsePath(path)))
  const links = linked.filter(({ identity }, index) => identity === '' || identity === present[index])
  const folders = links.filter(({ isDir }) => isDir)
  const others = await objectIdentities.identifyAll(folders.map((link) => joined(to, below(link, from))))
  const taken = new Set(folders.filter((_, index) => others[index] !== undefined))
  return links.map((link) => ({ link, isTaken: taken.has(link) }))
}

async function movedOneByOne(
  { objectIdentities }: Pick<FollowChangesParts, 'objectIdentities'>,
  { from, to }: Move,
  inPlace: readonly InPlace[],
): Promise<Changed[]> {
  const paths = inPlace.map(({ link }) => joined(to, below(link, from)))
  const identities = await objectIdentities.identifyAll(paths)
  return inPlace.flatMap(({ link, isTaken }, index) => {
    const [path, identity] = [paths[index], identities[index]]
    // What was merged into another folder is no longer what was shared, which would show the other folder.
    const isMerged = isTaken && identity !== link.identity
    return path === undefined || identity === undefined || isMerged ? [] : [[link.hash, { path, identity }] as const]
  })
}

async function deleting({ shares }: Pick<FollowChangesParts, 'shares'>, linked: Linked): Promise<AfterChange> {
  return async (done) => {
    if (done) await shares.removeAll(linked.map(({ hash }) => hash))
  }
}
