import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { shownRule } from '../access/rules.ts'
import { Failure } from '../base/failure.ts'
import { hookEvents, type Settings, type SettingsChange } from '../contract/settings.ts'
import { type By, checkAdministrator } from './actor.ts'
import type { StateDraft, StoredSettings } from './state-data.ts'

export const settingsCommands = {
  /**
   * Changes the given fields.
   * @param input.versions the settings must have one of these; undefined: any
   * @throws Failure('changed') when they have another, as checkAdministrator
   */
  changeSettings(
    draft: StateDraft,
    input: { change: SettingsChange; versions?: readonly string[] | undefined; by?: By },
  ): StoredSettings {
    const { change, versions, by } = input
    checkAdministrator(draft, by)
    if (versions !== undefined && !versions.includes(settingsVersion(draft.settings)))
      throw new Failure('changed', 'the settings have changed')
    draft.settings = mergedSettings(draft.settings, change)
    return draft.settings
  },
}

/** Changes with every change of the settings. */
export function settingsVersion(stored: StoredSettings): string {
  return createHash('sha256')
    .update(JSON.stringify(shownSettings(stored)))
    .digest('base64url')
    .slice(0, 22)
}

/** The settings with some fields changed. */
export function mergedSettings(stored: StoredSettings, change: SettingsChange): StoredSettings {
  const present = shownSettings(stored)
  const rules = change.rules ?? stored.rules
  return {
    ...stored,
    ...present,
    ...change,
    // The same object while nothing changes: the compiled rules of everybody hang on it.
    rules: isDeepStrictEqual(rules, stored.rules) ? stored.rules : rules,
    defaults: { ...present.defaults, ...change.defaults },
    branding: { ...present.branding, ...change.branding },
    commands: change.commands ? { ...knownEvents(present.commands), ...change.commands } : present.commands,
    hookLimits: { ...present.hookLimits, ...change.hookLimits },
    trash: { ...present.trash, ...change.trash },
    uploads: { ...present.uploads, ...change.uploads },
    archives: { ...present.archives, ...change.archives },
  }
}

/** Without those of other servers: a change of the commands says which of them there are. */
function knownEvents(commands: Settings['commands']): Settings['commands'] {
  return Object.fromEntries(hookEvents.map((event) => [event, commands[event]])) as Settings['commands']
}

/** The settings as administrators see them. */
export function shownSettings(stored: StoredSettings): Settings {
  const { theme, ...branding } = stored.branding
  const events = [...new Set([...hookEvents, ...Object.keys(stored.commands)])]
  return structuredClone({
    ...stored,
    rules: stored.rules.map(shownRule),
    branding: { ...branding, theme: theme === 'light' || theme === 'dark' ? theme : '' },
    commands: Object.fromEntries(events.map((event) => [event, stored.commands[event] ?? []])),
  }) as Settings
}
