// Builds the services of public links. Called by `services.ts`.
import type { FastifyBaseLogger } from 'fastify'
import type { Principal } from './access/principal.ts'
import type { Makers, PersonServices } from './api/person-context.ts'
import type { Clock } from './base/clock.ts'
import type { Operation } from './base/operation.ts'
import type { Disk } from './disk/disk.ts'
import type { Events, Source } from './events/events.ts'
import { principalOf } from './files/principal-of.ts'
import { UserFiles } from './files/user-files.ts'
import type { Options } from './options/options.ts'
import type { Previews } from './previews/previews.ts'
import { Downloads } from './shares/downloads.ts'
import { followChanges } from './shares/follow-changes.ts'
import { LinkPasswords } from './shares/link-passwords.ts'
import { identitiesOn } from './shares/object-identities.ts'
import { OwnShares } from './shares/own-shares.ts'
import { PublicShares } from './shares/public-shares.ts'
import { Shares } from './shares/shares.ts'
import { ShortMisses } from './shares/short-misses.ts'
import { TrashedLinks } from './shares/trashed-links.ts'
import { downloadLog } from './state/download-log.ts'
import type { State } from './state/state.ts'
import type { AccessRevocation } from './users/access-revocation.ts'
import type { Attempts } from './users/attempts.ts'
import type { Passwords } from './users/passwords.ts'
import type { UnnamedProxies } from './users/unnamed-proxies.ts'

type Parts = Readonly<{
  options: Options
  state: State
  events: Events
  disks: { for(principal: Principal, operation: Operation): Disk }
  previews: Previews
  clock: Clock
  passwords: Passwords
  /** Of passwords of links. */
  attempts: Attempts
  proxies: Pick<UnnamedProxies, 'isShared'>
  revocation: AccessRevocation
  log: FastifyBaseLogger
}>

/** The links of people, and what visitors open with them. `passwords`: those of links, in a queue of their own. */
export async function buildShares({
  options,
  state,
  events,
  disks,
  previews,
  clock,
  passwords: all,
  attempts,
  proxies,
  revocation,
  log,
}: Parts) {
  const shares = new Shares({ state, clock })
  const objectIdentities = identitiesOn(disks.for)
  const trashedLinks = new TrashedLinks({ shares, objectIdentities, root: options.root })
  followChanges({ events, shares, objectIdentities, trashed: trashedLinks })
  const counted = downloadLog(options.database)
  const passwords = all.beside({ atOnce: 1, waiting: 10, bcryptCost: () => state.highestLinkBcryptCost() })
  const downloads = await Downloads.open({
    counted,
    clock,
    state,
    secret: () => state.keys[0]?.secret ?? '',
    report: (error) => log.warn({ err: error }, 'a download of a link could not be counted'),
  })
  const shortestPassword = options.linkPasswordLength
  const parts = { state, events, disks, shares, downloads, clock, passwords, attempts, shortestPassword }
  const linkPasswords = new LinkPasswords({ passwords, attempts, keys: () => state.keys, clock })
  const publicShares = publicSharesFor({
    ...parts,
    previews,
    revocation,
    linkPasswords,
    misses: new ShortMisses({ clock, proxies }),
  })
  return { sharesOf: ownSharesFor(parts), publicShares, trashedLinks, passwords, linkPasswords, close: () => counted.close() }
}

type ShareParts = Pick<Parts, 'state' | 'events' | 'disks' | 'clock' | 'passwords' | 'attempts'> & {
  shares: Shares
  downloads: Downloads
  shortestPassword: number
}

function ownSharesFor({ disks, ...parts }: ShareParts): Makers<PersonServices>['shares'] {
  return ({ me: { user, session, settings }, operation, source }) => {
    const principal = principalOf(user, settings.rules)
    const disk = disks.for(principal, operation)
    return new OwnShares({ ...parts, principal, sessionId: session.id, disk, source, signal: operation.signal })
  }
}

type PublicParts = ShareParts & Pick<Parts, 'previews' | 'revocation'> & { linkPasswords: LinkPasswords; misses: ShortMisses }

function publicSharesFor({ disks, previews, ...parts }: PublicParts): PublicShares {
  const filesOf = (principal: Principal, operation: Operation, source: Source) => {
    const disk = disks.for(principal, operation)
    const { events } = parts
    const opened = { principal, disk, events, operation, source, previews, sorting: byName, locale: '' }
    return { disk, files: new UserFiles(opened) }
  }
  return new PublicShares({ ...parts, filesOf })
}

/** Whatever the owner has chosen. */
const byName = { by: 'name', asc: true } as const
