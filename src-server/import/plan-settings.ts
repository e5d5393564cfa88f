import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { noPermissions } from '../access/permissions.ts'
import type { Rule } from '../access/rules.ts'
import { isWithin, joined, type Path, rootPath } from '../base/paths.ts'
import { type FieldOptions, longestLine, mostLines, SettingsRecord } from '../contract/records.ts'
import { hookEvents } from '../contract/settings.ts'
import type { StoredDefaults, StoredSettings } from '../state/state-data.ts'
import { listed, quoted } from './plan-notes.ts'
import type { PlanParts } from './plan-parts.ts'
import { plannedRules } from './plan-rules.ts'
import { plannedScope } from './plan-scopes.ts'
import { type PlannedUser, plannedLocale, plannedSorting, scopesOf, viewModeOf } from './plan-users.ts'
import { cleanedPath } from './root-facts.ts'
import type { SourceSettings } from './source-records.ts'

/** The settings that come; the others are those of a new state. */
export type PlannedSettings = Pick<
  StoredSettings,
  'signup' | 'createUserDir' | 'defaults' | 'rules' | 'branding' | 'shell' | 'commands'
>

type PlannedDefaults = StoredDefaults & Readonly<{ scope: Path }>

const about = 'the settings'
const aboutDefaults = 'what new users begin with'

export async function plannedSettings(
  source: SourceSettings,
  users: readonly PlannedUser[],
  parts: PlanParts,
): Promise<PlannedSettings> {
  const { notes } = parts
  const defaults = await plannedDefaults(source.defaults, parts)
  if (source.signup && !source.createUserDir && defaults.scope === rootPath)
    notes.changed(
      about,
      'sign-up stays closed as long as new users would see the whole root: let home folders be made, or give another scope',
    )
  const hides = source.defaults.hideDotfiles
  if (source.signup && hides)
    notes.changed(about, 'sign-up is closed: new users would see names that begin with a dot, which were hidden from them')
  const areSeen = source.createUserDir && tellHomes(source, defaults, users, parts)
  if (source.signup && areSeen)
    notes.changed(
      about,
      `sign-up is closed: others would see the home folders of new users, which are made in ${quoted(homesHere(defaults))}`,
    )
  tellOthers(source, parts)
  return {
    signup: source.signup && !hides && !areSeen,
    createUserDir: source.createUserDir,
    defaults,
    rules: await globalRules(source, users, parts),
    branding: plannedBranding(source.branding ?? {}, parts),
    ...plannedCommands(source, parts),
  }
}

/** Those for everybody. */
export function globalRules({ rules }: SourceSettings, users: readonly PlannedUser[], parts: PlanParts): Promise<Rule[]> {
  return plannedRules([...(rules ?? [])], 'the global rules', { ...parts, ...parts.answers, scopes: scopesOf(users) })
}

async function plannedDefaults(source: SourceSettings['defaults'], parts: PlanParts): Promise<PlannedDefaults> {
  const { notes, answers } = parts
  const { scope, ...none } = await plannedScope(source.scope, aboutDefaults, { ...parts, ...answers })
  if ('problem' in none)
    notes.stop(`The scope ${quoted(source.scope)} of new users ${none.problem}: give them another one in File Browser`)
  if (source.perm.admin) notes.changed(aboutDefaults, 'new users were administrators: they are none any more')
  if (source.perm.execute && !answers.keepExecute)
    notes.changed(aboutDefaults, 'new users may not run commands any more: --keep-execute keeps that')
  if (source.hideDotfiles) notes.left(aboutDefaults, 'hiding names that begin with a dot: there is no such setting')
  const perm = { ...noPermissions, ...source.perm, admin: false, execute: source.perm.execute && answers.keepExecute }
  return {
    scope: scope ?? rootPath,
    locale: plannedLocale(source.locale),
    viewMode: viewModeOf(source.viewMode || 'mosaic'),
    sorting: plannedSorting(source.sorting),
    perm,
    commands: (source.commands ?? []).filter((command) => command !== ''),
  }
}

/** Home folders are made below the scope of new users here, and below a folder of the root there. */
const homesHere = ({ scope }: PlannedDefaults): Path => joined(scope, '/users' as Path)

/** @returns whether some see them here who did not there: those with the scope of new users, or with one between it and the folders */
function tellHomes(
  { userHomeBasePath: base = '' }: SourceSettings,
  defaults: PlannedDefaults,
  users: readonly PlannedUser[],
  { notes }: PlanParts,
): boolean {
  const here = homesHere(defaults)
  const there = cleanedPath(base === '' ? '/users' : base)
  if (here === there) return false
  notes.changed(about, `home folders of new users are made in ${quoted(here)}, and not in ${quoted(there ?? base)}`)
  const seers = [defaults.scope, ...users.map(({ scope }) => scope)]
  return seers.some((scope) => scope !== rootPath && isWithin(here, scope) && !(there && isWithin(there, scope)))
}

/** Later settings that have nothing in their place here yet, where they are not as they were at first. */
function tellOthers(source: SourceSettings, { notes }: PlanParts): void {
  const shortest = source.minimumPasswordLength ?? 0
  const others: [boolean, string][] = [
    [
      (source.logoutPage ?? '') !== '' && source.logoutPage !== '/login',
      `the page after signing out, ${quoted(source.logoutPage ?? '')}`,
    ],
    [source.hideLoginButton === true, 'hiding the button to sign in'],
    [source.hideDotfiles === true, 'hiding names that begin with a dot'],
    [isOther(source.fileMode, 0o640), `the mode ${source.fileMode?.toString(8)} of new files, which is 640`],
    [isOther(source.dirMode, 0o750), `the mode ${source.dirMode?.toString(8)} of new folders, which is 750`],
    [isOther(shortest, 12), `the shortest password of ${shortest} characters, which is 12`],
  ]
  const chosen = others.flatMap(([isChosen, name]) => (isChosen ? [name] : []))
  if (chosen.length > 0) notes.left(about, `${listed(chosen)}: there is no such setting`)
  if ((source.tus?.chunkSize ?? 0) > 0)
    notes.left(about, 'the size of pieces of uploads and how often they are tried again: the page decides itself')
  notes.left(about, 'the key of tokens: everybody signs in again')
}

/** Zero stands for what it is at first. */
const isOther = (value = 0, usual: number) => value !== 0 && value !== usual

const brandingFields: Readonly<Record<string, TSchema & FieldOptions>> = SettingsRecord.properties.branding.properties

function plannedBranding(source: NonNullable<SourceSettings['branding']>, { notes }: PlanParts): StoredSettings['branding'] {
  const text = (field: 'name' | 'theme' | 'color' | 'files', isPossible = (_: string) => true) => {
    const given = source[field] ?? ''
    const { sent } = brandingFields[field] ?? {}
    const isText = given.isWellFormed() && !given.includes('\0')
    if (isText && sent !== undefined && Value.Check(sent, given) && isPossible(given)) return given
    notes.left('branding', `${field} ${quoted(given)}, which is none that is possible`)
    return ''
  }
  return {
    name: text('name'),
    disableExternal: source.disableExternal ?? false,
    disableUsedPercentage: source.disableUsedPercentage ?? false,
    theme: text('theme'),
    color: text('color'),
    files: text('files', (folder) => folder === '' || folder.startsWith('/')),
    css: '',
  }
}

/** Commands of events come and stay off without `--enable-exec`. A list with a line that cannot be kept is left out whole: half of it could do harm. */
function plannedCommands({ commands, shell }: SourceSettings, { notes }: PlanParts): Pick<PlannedSettings, 'commands' | 'shell'> {
  const fits = (lines: readonly string[]) =>
    lines.length <= mostLines && lines.every((line) => line.length <= longestLine && line.isWellFormed() && !line.includes('\0'))
  const events = Object.entries(commands ?? {}).map(
    ([event, lines]) => [event, (lines ?? []).filter((line) => line.trim() !== '')] as const,
  )
  const known = events.filter(([event, lines]) => {
    const isKnown = (hookEvents as readonly string[]).includes(event)
    if (lines.length === 0) return isKnown
    if (!isKnown) notes.left('commands of events', `those of ${quoted(event)}, which is no event here`)
    else if (!fits(lines)) notes.left('commands of events', `those of ${event}: they are too many, too long or no text`)
    return isKnown && fits(lines)
  })
  if (known.some(([, lines]) => lines.length > 0)) notes.look('commands of events', 'come, and run only with --enable-exec')
  const isShell = fits(shell ?? [])
  if (!isShell) notes.left(about, 'the shell, which is too long or no text')
  return { commands: Object.fromEntries(known), shell: isShell ? (shell ?? []) : [] }
}
