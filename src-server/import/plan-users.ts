import { allPermissions, noPermissions, type Permissions } from '../access/permissions.ts'
import { bcryptCost, isBcrypt } from '../base/bcrypt-text.ts'
import { foldedUsername } from '../base/folded-name.ts'
import { type Path, rootPath } from '../base/paths.ts'
import { permissionNames } from '../contract/permissions.ts'
import { knownLocale } from '../contract/users.ts'
import type { StoredUser } from '../state/state-data.ts'
import { mostUsers } from '../state/user-commands.ts'
import { listed, type PlanNotes, quoted } from './plan-notes.ts'
import type { PlanParts } from './plan-parts.ts'
import { noDotFiles, plannedRules } from './plan-rules.ts'
import { plannedScope } from './plan-scopes.ts'
import type { SourceUser } from './source-records.ts'

/** A user as it will be stored. With `password` '' nobody can sign in; a hash of bcrypt is as File Browser has it. */
export type PlannedUser = Omit<StoredUser, 'changedAt' | 'scope'> & Readonly<{ scope: Path; idThere: number }>

/** Users with their ids, which they keep where nobody has had them. */
export async function plannedUsers(all: readonly SourceUser[], parts: PlanParts): Promise<PlannedUser[]> {
  const { notes, present, brought } = parts
  const users = all.filter(({ id }) => !brought.has(id))
  if (users.length < all.length)
    tellBrought(
      all.filter(({ id }) => brought.has(id)),
      parts,
    )
  const number = users.length + present.users.length
  if (number > mostUsers) {
    notes.stop(`There would be ${number} users, and at most ${mostUsers} are possible: remove some`)
    return []
  }
  const names = namesOf(users, parts)
  const planned: PlannedUser[] = []
  for (const user of users) {
    const username = names.get(user)
    const one = username === undefined ? undefined : await plannedUser(user, username, parts)
    if (one !== undefined) planned.push(one)
  }
  if (users.length > 0 && present.users.length === 0 && !planned.some(({ perm }) => perm.admin))
    notes.stop('None of the users is an administrator, so that nobody could change anything: make one in File Browser')
  return planned
}

/** Ids tell them apart: a database that was copied and then changed has others under the same ones. */
function tellBrought(users: readonly SourceUser[], { notes, present, brought }: PlanParts): void {
  const names = new Map(present.users.map(({ id, username }) => [id, username]))
  let same = 0
  for (const { id, username } of users) {
    const here = names.get(brought.get(id) ?? 0)
    if (here === undefined) notes.left(aboutUser(username), 'came with an earlier import, and was removed here since')
    else if (isNameOf(here, username)) same += 1
    else
      notes.left(
        aboutUser(username),
        `has the id of ${quoted(here)}, who came with an earlier import: this user does not come, neither links nor rules`,
      )
  }
  if (same > 0) notes.left('users', `${same} that an earlier import has brought`)
}

/** Whether an import gives somebody this name here. */
function isNameOf(here: string, there: string): boolean {
  const [name, first] = [foldedUsername(here), foldedUsername(there)]
  return name === first || (name.startsWith(`${first}-`) && /^\d+$/.test(name.slice(first.length + 1)))
}

/** What a user is called in notes. */
export const aboutUser = (username: string): string => `user ${quoted(username)}`

/** Of those whose names people take for one, the lowest id keeps it. */
function namesOf(users: readonly SourceUser[], { notes, present }: PlanParts): Map<SourceUser, string> {
  const inOrder = users.toSorted((one, other) => one.id - other.id)
  const there = new Set(present.users.map(({ username }) => foldedUsername(username)))
  const usable = inOrder.filter((user) => {
    const problem =
      nameProblem(user.username) ?? (there.has(foldedUsername(user.username)) ? 'has a name that is taken here' : undefined)
    if (problem !== undefined) notes.left(aboutUser(user.username), `${problem}: links and rules of this user do not come either`)
    return problem === undefined
  })
  const taken = new Set<string>(there)
  const isFirst = (user: SourceUser) => {
    const folded = foldedUsername(user.username)
    return !taken.has(folded) && taken.add(folded)
  }
  const first = new Set(usable.filter(isFirst))
  const later = usable.filter((user) => !first.has(user))
  const renamed = later.map((user) => [user, freeName(user.username, taken)] as const)
  for (const [{ username }, name] of renamed)
    notes.changed(
      aboutUser(username),
      `is ${quoted(name)} from now on, with the same password: another user has a name that is taken for this one`,
    )
  return new Map([...[...first].map((user) => [user, user.username] as const), ...renamed])
}

/** Bytes: every token contains the name. */
const longestName = 255

function nameProblem(username: string): string | undefined {
  if (!username.isWellFormed() || username.includes('\0')) return 'has a name that is no text'
  if (foldedUsername(username) === '') return 'has a name that nobody can see'
  return Buffer.byteLength(username) > longestName - '-1000'.length ? 'has a name that is too long' : undefined
}

function freeName(username: string, taken: Set<string>): string {
  for (let number = 2; ; number++) {
    const name = `${username.trim()}-${number}`
    const folded = foldedUsername(name)
    if (taken.has(folded)) continue
    taken.add(folded)
    return name
  }
}

async function plannedUser(user: SourceUser, username: string, parts: PlanParts): Promise<PlannedUser | undefined> {
  const { notes, answers } = parts
  const about = aboutUser(username)
  const found = await plannedScope(user.scope, about, { ...parts, ...answers })
  const { scope } = found
  if (scope === undefined) {
    notes.left(
      about,
      `has the scope ${quoted(user.scope)}, which ${found.problem}: links and rules of this user do not come either`,
    )
    return undefined
  }
  const rules = await plannedRules([...(user.rules ?? [])], about, {
    ...{ ...parts, ...answers, scopes: [scope] },
    added: user.hideDotfiles ? noDotFiles : undefined,
  })
  if (user.hideDotfiles)
    notes.changed(about, 'hides names that begin with a dot: a rule blocks them, also where they could be opened before')
  tellUnknownFields(user, about, parts)
  return {
    id: freeId(user.id, parts),
    idThere: user.id,
    username,
    password: plannedPassword(user.password, about, parts),
    scope,
    locale: plannedLocale(user.locale),
    // An administrator always changes their own password.
    lockPassword: user.lockPassword && !user.perm.admin,
    viewMode: viewModeOf(user.viewMode),
    sorting: plannedSorting(user.sorting),
    perm: plannedPermissions(user, about, parts),
    commands: commandsOf(user),
    rules,
  }
}

const locales = new Map<string, string>()

/** The language here for one of theirs. Choosing takes a while, and most users have the same. */
export function plannedLocale(code = ''): string {
  const known = locales.get(code) ?? knownLocale(code)
  locales.set(code, known)
  return known
}

/** Ids are given once: what lies on a disk under the id of somebody who was removed is not another's. */
function freeId(id: number, { present, nextId }: PlanParts): number {
  return id > present.lastUserId ? id : nextId()
}

/** Their gallery is a mosaic here, and what is none of theirs the list. */
export const viewModeOf = (view = ''): 'mosaic' | 'list' => (view.startsWith('mosaic') ? 'mosaic' : 'list')

/** Theirs is from Z to A when it is `asc`; sizes and dates are as here. One by nothing is by name. */
export function plannedSorting({ by, asc }: { by: string; asc: boolean } = { by: '', asc: false }): StoredUser['sorting'] {
  if (by === 'size' || by === 'modified') return { by, asc }
  return { by: 'name', asc: by === 'name' ? !asc : true }
}

/** The usual ones are 10, or 12 at most; a check of 14 takes 16 times as long as one of 10. */
const mostUsualCost = 12

/** Tells a cost that makes failed checks slow. @param until when it does no more */
export function tellCost(
  password: string,
  about: string,
  { until, what, notes }: { until: string; what: string; notes: PlanNotes },
) {
  const cost = bcryptCost(password) ?? 0
  if (cost <= mostUsualCost) return
  notes.look(
    about,
    `has a password of bcrypt with cost ${cost}: until ${until}, each ${what} takes ${2 ** (cost - 10)} times as long as with the usual cost 10`,
  )
}

function plannedPassword(password: string, about: string, { notes }: PlanParts): string {
  if (isBcrypt(password)) {
    tellCost(password, about, { until: 'its owner signs in or it is changed', what: 'failed sign-in of anybody', notes })
    return password
  }
  notes.changed(
    about,
    'has a password that is stored in another way than bcrypt of cost 4 to 14: nobody can sign in until an administrator gives a new one',
  )
  return ''
}

/** An administrator may run whatever is named here: one who could not run commands has none. */
const commandsOf = ({ perm, commands }: Pick<SourceUser, 'perm' | 'commands'>): string[] =>
  perm.admin && !perm.execute ? [] : (commands ?? []).filter((command) => command !== '')

function plannedPermissions(
  { perm, commands }: SourceUser,
  about: string,
  { notes, answers: { keepExecute } }: PlanParts,
): Permissions {
  if (perm.admin) {
    const lacked = permissionNames.filter((name) => !perm[name])
    if (lacked.length > 0) notes.changed(about, `is an administrator, and so may ${listed(lacked)} too`)
    const runs = commandsOf({ perm, commands })
    if (runs.length > 0)
      notes.look(about, `is an administrator, and may run ${listed(runs.map(quoted))} where --enable-exec is on`)
    return allPermissions
  }
  if (perm.execute && !keepExecute)
    notes.changed(
      about,
      `may not run commands any more (it could run ${listed((commands ?? []).map(quoted)) || 'none'}): --keep-execute keeps that`,
    )
  if (perm.execute && keepExecute) tellCommands(commands ?? [], about, notes)
  return { ...noPermissions, ...perm, execute: perm.execute && keepExecute }
}

/** Up to 2.33.8 commands were expressions for a part of the name, and here they are names. */
function tellCommands(commands: readonly string[], about: string, notes: PlanNotes): void {
  if (commands.includes('')) notes.changed(about, 'could run every command: an administrator must name those that it may run')
  const expressions = commands.filter((command) => /[^\w./+@-]/.test(command))
  if (expressions.length > 0)
    notes.changed(
      about,
      `the commands ${listed(expressions.map(quoted))} are names, and no expressions, as they were before 2.33.9`,
    )
}

/** What is stored, and has nothing in its place here yet. */
function tellUnknownFields(user: SourceUser, about: string, { notes }: PlanParts): void {
  const settings: [boolean | undefined, string][] = [
    [user.singleClick, 'opening by a single click'],
    [user.dateFormat, 'exact dates'],
    [user.redirectAfterCopyMove, 'going to the target after a copy or a move'],
    [(user.aceEditorTheme ?? '') !== '', `the theme ${quoted(user.aceEditorTheme ?? '')} of the editor`],
  ]
  const chosen = settings.flatMap(([isOn, name]) => (isOn ? [name] : []))
  if (chosen.length > 0) notes.left(about, `${listed(chosen)}: there is no such setting`)
  const locale = user.locale ?? ''
  if (locale !== '' && plannedLocale(locale) === '')
    notes.changed(about, `the language ${quoted(locale)} is not there: that of the browser counts`)
}

/** What is compared with the paths that are there takes a look at the disk for each rule and scope. */
const mostScopes = 50

/** The scopes of users, each once, as the global rules count from each: of many, the first ones. */
export function scopesOf(users: readonly PlannedUser[]): Path[] {
  return [...new Set([rootPath, ...users.map(({ scope }) => scope)])].slice(0, mostScopes)
}
