import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { matcherOf, type Rule } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { RuleVerdict } from '../contract/rules.ts'
import type { Settings, SettingsChange } from '../contract/settings.ts'
import type { Actor, Events, Source } from '../events/events.ts'
import type { State } from '../state/state.ts'
import type { StoredDefaults, StoredSettings } from '../state/state-data.ts'
import { completeSettings } from './complete-settings.ts'

type SettingsParts = Readonly<{
  state: State
  events: Events
  /** The fields of a new user until an administrator sets others. */
  usual: StoredDefaults
  /** Whether a path of the host is a folder. */
  isFolder(path: string): Promise<boolean>
  by: Actor
  source: Source
}>

/** The settings, and what changes with every change of them. */
export type VersionedSettings = Readonly<{ settings: Settings; version: string }>

/** The settings of the server, as administrators see and change them. */
export class ServerSettings {
  readonly #parts: SettingsParts

  constructor(parts: SettingsParts) {
    this.#parts = parts
  }

  /** The present settings. */
  read(): VersionedSettings {
    return this.#complete(this.#parts.state.data.settings)
  }

  /**
   * Changes the given fields; durable when it resolves. Nothing is changed when one of them is refused. The event names those
   * whose values differ: forms send all of theirs.
   * @param versions the settings must have one of these; undefined: any
   * @throws Failure('invalid') naming the field, Failure('changed') when the settings have another version
   */
  async change(change: SettingsChange, versions?: readonly string[] | 'any'): Promise<VersionedSettings> {
    const { state, events, by, source } = this.#parts
    await this.#checkFolder(change.branding?.files)
    const event = { kind: 'serverSettings', fields: this.#changedBy(change), by, ...source } as const
    return events.around(event, () =>
      state.change('other', (draft) => {
        const { settings, version } = this.#complete(draft.settings)
        const isMeant = versions === undefined || versions === 'any' || versions.includes(version)
        if (!isMeant) throw new Failure('changed', 'the settings have changed')
        draft.settings = merged(draft.settings, settings, change)
        return this.#complete(draft.settings)
      }),
    )
  }

  /**
   * Finds the rule that decides about a path: the last one that matches.
   * @param path from the scope of a user
   * @param own the rules of the user
   * @param global rules that are not stored yet; unless given, the stored ones
   */
  decide(path: Path, own: readonly Rule[], global: readonly Rule[] = this.#parts.state.data.settings.rules): RuleVerdict {
    const all = [
      ...global.map((rule, index) => ({ of: 'global' as const, index, rule })),
      ...own.map((rule, index) => ({ of: 'user' as const, index, rule })),
    ]
    const found = all.findLast(({ rule }) => matcherOf(rule)(path))
    if (found === undefined) return { allowed: true }
    return { allowed: found.rule.allow, decidedBy: { of: found.of, index: found.index } }
  }

  #changedBy(change: SettingsChange): string[] {
    const { settings: stored } = this.#parts.state.data
    const { settings } = this.#complete(stored)
    const then = this.#complete(merged(stored, settings, change)).settings
    return Object.keys(change).filter((name) => {
      const field = name as keyof Settings
      return !isDeepStrictEqual(settings[field], then[field])
    })
  }

  #complete(stored: StoredSettings): VersionedSettings {
    const settings = completeSettings(stored, this.#parts.usual)
    return { settings, version: createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 22) }
  }

  async #checkFolder(path = '') {
    if (path !== '' && !(await this.#parts.isFolder(path))) {
      throw new Failure('invalid', 'branding.files is not the absolute path of a folder')
    }
  }
}

function merged(stored: StoredSettings, present: Settings, change: SettingsChange): StoredSettings {
  return {
    ...stored,
    ...present,
    ...change,
    // The same object while nothing changes: the compiled rules of everybody hang on it.
    rules: change.rules ?? stored.rules,
    defaults: { ...present.defaults, ...change.defaults },
    branding: { ...present.branding, ...change.branding },
    commands: { ...present.commands, ...change.commands },
    hookLimits: { ...present.hookLimits, ...change.hookLimits },
  }
}
