import { compileRules, type Rule } from '../access/rules.ts'
import { isBcrypt } from '../base/bcrypt-text.ts'
import { joined, type Path, pathBelow } from '../base/paths.ts'
import { isLiving, mostLinksOfUser } from '../state/link-commands.ts'
import type { StoredLink } from '../state/state-data.ts'
import { listed, quoted } from './plan-notes.ts'
import type { PlanParts } from './plan-parts.ts'
import { tooLong } from './plan-rules.ts'
import { aboutUser, type PlannedUser, tellCost } from './plan-users.ts'
import { cleanedPath } from './root-facts.ts'
import type { SourceContent, SourceLink } from './source-records.ts'

/** A link as it will be stored. A hash of bcrypt is as File Browser has it. */
export type PlannedLink = Omit<StoredLink, 'createdAt'>

const hashPattern = /^[A-Za-z0-9_=-]{1,128}$/

/** The users whose links come. `rules`: global ones that those of the users do not hold yet. */
type Owners = Readonly<{ users: readonly PlannedUser[]; rules: readonly Rule[] }>

/** The links whose owner comes, and that lead to something that its owner sees. */
export async function plannedLinks(
  { links, users: there }: Pick<SourceContent, 'links' | 'users'>,
  { users, rules }: Owners,
  parts: PlanParts,
): Promise<PlannedLink[]> {
  const { notes, now, present, brought, budget } = parts
  const living = links.filter(({ expire }) => isLiving({ expire } as StoredLink, now))
  if (living.length < links.length) notes.left('links', `${links.length - living.length} that have expired`)
  const permissions = new Map(there.map(({ id, perm }) => [id, perm]))
  const owners = new Map(users.map((user) => [user.idThere, user]))
  const views = ownerViews(rules, parts)
  const taken = new Set(present.hashes)
  const planned: PlannedLink[] = []
  // Those of users who came before did so with them.
  const ofOthers = living.filter(({ userID }) => !brought.has(userID)).toSorted((one, other) => one.userID - other.userID)
  const later = living.filter(({ userID, hash }) => brought.has(userID) && !taken.has(hash))
  if (later.length > 0)
    notes.left(
      'links',
      `${later.length} of users that came with an earlier import: they did not come with it, were made after it, or were removed here`,
    )
  for (const link of ofOthers) {
    if (taken.has(link.hash)) {
      notes.left(`link ${quoted(link.hash)} to ${quoted(link.path)}`, 'its hash is taken here')
      continue
    }
    const owner = owners.get(link.userID)
    const perm = permissions.get(link.userID)
    const one = await plannedLink(link, owner && perm && { ...owner, perm, view: () => views(owner) }, parts)
    if (typeof one === 'string') {
      notes.left(`link ${quoted(link.hash)} to ${quoted(link.path)}`, one)
      continue
    }
    const slow = { until: 'it is changed', what: 'wrong password of a link', notes }
    tellCost(one.password ?? '', `link ${quoted(link.hash)}`, slow)
    planned.push(one)
  }
  if (budget.isSpent('computing')) notes.stop(tooLong)
  if (budget.isSpent('links'))
    notes.stop('There are more links than are looked for on the disk: remove some of them in File Browser')
  const locked = new Set(planned.filter(({ password }) => password !== undefined).map(({ hash }) => hash))
  const withToken = living.filter(({ hash, token }) => (token ?? '') !== '' && locked.has(hash))
  if (withToken.length > 0)
    notes.changed(
      `${withToken.length === 1 ? 'the link' : `${withToken.length} links`} ${listed(withToken.map(({ hash }) => quoted(hash)))}`,
      'addresses that end with ?token= ask for the password now',
    )
  const counts = new Map<number, number>()
  for (const { userId } of planned) counts.set(userId, (counts.get(userId) ?? 0) + 1)
  for (const { id, username } of users) {
    const count = counts.get(id) ?? 0
    if (count > mostLinksOfUser)
      notes.stop(
        `There are ${count} links of ${aboutUser(username)}, and at most ${mostLinksOfUser} are possible: remove some in File Browser`,
      )
  }
  return planned
}

/** What an owner of links sees. */
type OwnerView = Readonly<{
  /** Undefined when the rules take too long. */
  hides(path: Path): boolean | undefined
  /** Whether something below a path may be hidden by a rule about that path. */
  mayHideBelow(path: Path): boolean
  /** The scope without symbolic links. */
  scope: Path
}>

/** Views of owners. The last one is kept: compiled rules of many would fill the memory. */
function ownerViews(rules: readonly Rule[], { facts, budget }: PlanParts): (owner: PlannedUser) => Promise<OwnerView> {
  let last: (OwnerView & { owner: PlannedUser }) | undefined
  return async (owner) => {
    if (last?.owner === owner) return last
    const all = [...rules, ...owner.rules]
    const compiled = budget.compute(() => compileRules(all))
    const hides = (path: Path) => budget.compute(() => compiled?.result.isBlocked(path))?.result
    const mayHideBelow = (path: Path) => all.some((rule) => !rule.allow && mayMatchBelow(rule, path))
    last = { owner, hides, mayHideBelow, scope: (await facts.target(owner.scope))?.path ?? owner.scope }
    return last
  }
}

/** Whether a rule may match something below a path. */
function mayMatchBelow({ regex, regexp: { raw }, path: ruled }: Rule, path: Path): boolean {
  const start = regex ? startOf(raw) : ruled
  return start === undefined || start.startsWith(`${path}/`) || `${path}/`.startsWith(start)
}

/** The text with which all begins that an expression matches; undefined for one that says more than that. */
function startOf(raw: string): string | undefined {
  const [, text] = /^\^((?:[^\\^$.|?*+()[\]{}]|\\[^\w\s])*)$/.exec(raw) ?? []
  return text?.replaceAll(/\\(.)/g, '$1')
}

/** @param owner with the permissions there: an administrator has all here @returns why it does not come */
async function plannedLink(
  link: SourceLink,
  owner: (PlannedUser & { view(): Promise<OwnerView> }) | undefined,
  { facts, budget }: PlanParts,
): Promise<PlannedLink | string> {
  const { hash, expire, password_hash: password = '' } = link
  if (!hashPattern.test(hash)) return 'its hash is none that a link can have'
  if (owner === undefined) return `its owner, user ${link.userID}, does not come or was deleted`
  if (!owner.perm.share || !owner.perm.download) return `its owner, ${aboutUser(owner.username)}, may not share or download`
  if (password !== '' && !isBcrypt(password)) return 'its password is stored in another way than bcrypt of cost 4 to 14'
  const path = cleanedPath(link.path)
  if (path === undefined) return 'it leads to no path'
  // Its path is stored as it is behind symbolic links, which rules may not be about.
  const { hides, mayHideBelow, scope } = await owner.view()
  const isHidden = hides(path)
  if (isHidden === undefined) return 'the rules of its owner take too long to see whether they hide it'
  if (isHidden) return 'a rule hides it from its owner'
  if (!budget.take('links')) return 'there are more links than are looked for on the disk'
  const target = await facts.target(joined(owner.scope, path))
  if (target === undefined) return 'nothing is there'
  const below = pathBelow(scope, target.path)
  if (below === undefined) return 'it leads out of the scope of its owner'
  if (below !== path && hides(below) !== false) return 'a rule hides from its owner what it leads to'
  if (below !== path && target.isDir && mayHideBelow(path))
    return 'symbolic links lead to it, and a rule about its path may hide something in it, which would be open'
  // The scope may be a symbolic link itself.
  const stored = { ...target, path: joined(owner.scope, below) }
  return { hash, userId: owner.id, ...stored, expire, ...(password !== '' && { password }) }
}
