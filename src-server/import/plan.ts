// The plan of an import: what comes, what changes its meaning and how, what cannot come and why. Nothing is written by making one.
import { createHash } from 'node:crypto'
import type { Rule } from '../access/rules.ts'
import { noRecords, type PresentRecords } from '../state/import-commands.ts'
import { PlanBudget } from './plan-budget.ts'
import { type PlannedLink, plannedLinks } from './plan-links.ts'
import { forShell, listed, type PlanNote, PlanNotes, quoted, visible } from './plan-notes.ts'
import { type PlannedServer, plannedServer } from './plan-options.ts'
import type { PlanAnswers, PlanParts } from './plan-parts.ts'
import { isNumberPossible } from './plan-rules.ts'
import { globalRules, type PlannedSettings, plannedSettings } from './plan-settings.ts'
import { aboutUser, type PlannedUser, plannedUsers } from './plan-users.ts'
import type { Source } from './read-source.ts'
import type { LinksOut, RootFacts } from './root-facts.ts'

export type ImportPlan = Readonly<{
  users: readonly PlannedUser[]
  links: readonly PlannedLink[]
  /** Undefined for an export of users alone. */
  settings?: PlannedSettings
  server: PlannedServer
  /** Stands for what is imported. */
  source: string
  /** The highest id that was ever given to a user: ids are not reused. */
  lastUserId: number
  notes: readonly PlanNote[]
  /** Sentences about what must be answered or mended first; with one nothing comes. */
  stops: readonly string[]
}>

type PlanContext = Readonly<{
  facts: RootFacts
  answers: PlanAnswers
  /** Seconds since the epoch. */
  now: number
  /** What the state has that users and links are added to; without it, it is new. */
  present?: PresentRecords
  /** Whether settings and options of before stay. */
  keepsSettings?: boolean
  budget?: PlanBudget
}>

/** Stands for a database: its key of tokens is that of no other. Exports of users alone are told apart by what they hold. */
function sourceId({ settings, users }: Source): string {
  return createHash('sha256')
    .update(JSON.stringify(keyOf(settings?.key) || users.map(({ id, username }) => [id, username])))
    .digest('hex')
    .slice(0, 32)
}

/** As text: exports in YAML have it as a list of bytes. */
function keyOf(key: unknown): string {
  if (typeof key === 'string') return key
  return Array.isArray(key) && key.every((byte) => typeof byte === 'number') ? Buffer.from(key).toString('base64') : ''
}

/** The global rules there come first for those who come, and are no rules of the others here. */
function withGlobalRules(users: readonly PlannedUser[], first: readonly Rule[], parts: PlanParts): PlannedUser[] {
  return users.map((user) => {
    const rules = [...first, ...user.rules]
    isNumberPossible(rules, `${aboutUser(user.username)}, with the global ones`, { ...parts, ...parts.answers })
    return { ...user, rules }
  })
}

export async function makePlan(
  source: Source,
  { facts, answers, now, present = noRecords, keepsSettings = false, budget = new PlanBudget() }: PlanContext,
): Promise<ImportPlan> {
  const notes = new PlanNotes()
  const id = sourceId(source)
  const brought = new Map(present.imported.filter((from) => from.source === id).flatMap(({ users }) => users))
  let lastId = Math.max(present.lastUserId, source.lastId)
  const nextId = () => ++lastId
  const { root: formerRoot, caseInsensitiveFs: foldsCase = false } = source.server ?? {}
  const parts: PlanParts = { facts, answers, now, notes, budget, formerRoot, foldsCase, present, brought, nextId }
  if (source.state?.isPrevious)
    notes.look('the database', 'one of its two meta pages is damaged: what comes may be as it was before the last change')
  for (const field of source.unknown) notes.left('unknown fields', quoted(field))
  if (present.users.length > 0 && present.imported.length === 0)
    notes.look(
      'the root',
      'what the users who are here have counts from --root too: it must be the folder that this state serves now',
    )
  const own = await plannedUsers(source.users, parts)
  const settings = source.settings && !keepsSettings ? await plannedSettings(source.settings, own, parts) : undefined
  const first = source.settings && keepsSettings ? await globalRules(source.settings, own, parts) : []
  if (budget.isSpent('folders'))
    notes.look(
      'the rules',
      'not all paths are named on which the releases before and after 2.63.1 differ: there are too many rules and names to compare',
    )
  const users = keepsSettings ? withGlobalRules(own, first, parts) : own
  if (keepsSettings) notes.left('the settings', 'all of them but the rules: those that are here stay')
  if (own.length > 0 && !source.settings && !answers.withoutSettings)
    notes.stop(
      'An export of users has no global rules, without which they would see more: name the file of config export too, or add --without-settings when there are none',
    )
  const links = await plannedLinks(source, { users, rules: settings?.rules ?? [] }, parts)
  const server = keepsSettings ? { options: {} } : plannedServer(source, parts)
  // What was not followed there needs no option here.
  if (source.server?.followExternalSymlinks !== false) tellLinksOut(facts.linksOut(), notes)
  if (source.state === undefined) notes.left('links', 'all of them: exports have none')
  return {
    ...{ users, links, server, source: id, lastUserId: lastId },
    ...(settings && { settings }),
    ...{ notes: notes.notes, stops: notes.stops },
  }
}

/** A name that a terminal would not show is in no command to be typed. */
function tellLinksOut({ folders, others, isAll }: LinksOut, notes: PlanNotes): void {
  const typed = folders.filter((folder) => visible(folder) === folder)
  const about = 'the files'
  if (typed.length > 0)
    notes.look(
      about,
      `links lead out of the root, and are followed only with ${typed.map((folder) => `--links-into ${forShell(folder)}`).join(' ')}`,
    )
  const rest = [...others, ...folders.filter((folder) => visible(folder) !== folder)]
  if (rest.length > 0)
    notes.look(
      about,
      `links lead to ${listed(rest.map(quoted))}, and are not followed: --links-into with the folder would open all that is in it`,
    )
  if (!isAll) notes.look(about, 'more links may lead out of the root: not all were looked at')
}
