import { createHash } from 'node:crypto'
import { checkRules } from '../access/check-rules.ts'
import { noPermissions, type Permissions } from '../access/permissions.ts'
import { compileRule } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { hookEvents, type RuleVerdict, type Settings } from '../contract/settings.ts'
import type { UserRule } from '../contract/users.ts'
import type { Actor, Events, Source } from '../events/events.ts'
import type { State } from '../state/state.ts'
import type { StateDraft, StoredDefaults, StoredSettings } from '../state/state-data.ts'
import { checkSettings } from './check-settings.ts'

type SettingsParts = Readonly<{
  state: State
  events: Events
  /** Whether there is such a folder on the host. */
  isFolder(path: string): Promise<boolean>
}>

/** The versions that a change may replace; undefined for any. */
type Match = readonly string[] | 'any' | undefined

/** The settings of the server, for administrators. */
export class ServerSettings {
  readonly #parts: SettingsParts

  constructor(parts: SettingsParts) {
    this.#parts = parts
  }

  /** All settings, with defaults for those that were never set. */
  read(): Settings {
    return settingsOf(this.#parts.state.data.settings)
  }

  /** Differs after each change. */
  version(): string {
    return versionOf(this.#parts.state.data.settings)
  }

  /** Finds the rule that decides about a path of a user. @param global rules that are not saved yet, instead of the saved ones */
  tryRules(own: readonly UserRule[], path: Path, global: readonly UserRule[] = this.read().rules): RuleVerdict {
    checkRules(global)
    const all = [
      ...global.map((rule, index) => ({ of: 'global' as const, index, rule })),
      ...own.map((rule, index) => ({ of: 'user' as const, index, rule })),
    ]
    const decidedBy = all.findLast(({ rule }) => compileRule(rule).matches(path))
    return { allowed: decidedBy?.rule.allow ?? true, ...(decidedBy && { decidedBy }) }
  }

  /**
   * Changes the fields that `sent` has. Nothing is changed when one of them is refused.
   * @throws Failure('invalid') naming the field, Failure('changed') when the version is not in `match`
   */
  async change(sent: unknown, { by, source, match }: { by: Actor; source: Source; match: Match }): Promise<void> {
    const { state, events, isFolder } = this.#parts
    const changed = checkSettings(sent)
    const folder = changed.branding?.files ?? ''
    if (folder !== '' && !(await isFolder(folder))) throw new Failure('invalid', 'branding.files is not a folder of the server')
    await events.around({ kind: 'settings', fields: Object.keys(changed), by, ...source }, () =>
      state.change('other', (draft) => apply(draft, changed, match)),
    )
  }
}

function apply(draft: StateDraft, changed: Partial<Settings>, match: Match) {
  if (match !== undefined && match !== 'any' && !match.includes(versionOf(draft.settings))) throw new Failure('changed')
  draft.settings = { ...draft.settings, ...changed }
}

/** Stored settings with the defaults of those that are absent. */
function settingsOf(stored: StoredSettings): Settings {
  const { branding } = stored
  return structuredClone({
    signup: stored.signup,
    createUserDir: stored.createUserDir,
    userHomeBasePath: stored.userHomeBasePath ?? '/users',
    defaults: (stored.defaults ?? firstDefaults) as Settings['defaults'],
    rules: stored.rules as Settings['rules'],
    branding: { ...branding, disableUsedPercentage: branding.disableUsedPercentage ?? false, color: branding.color ?? '' },
    shell: (stored.shell ?? []) as string[],
    commands: Object.fromEntries(hookEvents.map((event) => [event, [...(stored.commands?.[event] ?? [])]])),
    css: stored.css ?? '',
  })
}

const usual: Permissions = {
  ...noPermissions,
  ...{ create: true, rename: true, modify: true, delete: true, share: true, download: true },
}

/** The defaults of a new server: all permissions except administration and running commands. */
const firstDefaults: StoredDefaults = {
  scope: '/',
  locale: '',
  viewMode: 'mosaic',
  sorting: { by: 'name', asc: true },
  perm: usual,
  commands: [],
}

function versionOf(stored: StoredSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(settingsOf(stored)))
    .digest('base64url')
    .slice(0, 22)
}
