import { shownRule } from '../access/rules.ts'
import { type HookEvent, hookEvents, type Settings } from '../contract/settings.ts'
import type { StoredDefaults, StoredSettings } from './state-data.ts'
import { usualDefaults } from './user-record.ts'

/** The limits of commands of events until an administrator sets others. */
export const usualHookLimits = { seconds: 30, kilobytes: 64 } as const

/** The settings with the values of the fields that were never set. */
export function completeSettings({ signup, createUserDir, rules, branding, ...later }: StoredSettings): Settings {
  return {
    signup,
    createUserDir,
    defaults: thawed(later.defaults ?? usualDefaults),
    rules: rules.map(shownRule),
    branding: {
      name: branding.name,
      disableExternal: branding.disableExternal,
      disableUsedPercentage: branding.disableUsedPercentage ?? false,
      theme: themeOf(branding.theme),
      color: branding.color ?? '',
      files: branding.files,
      css: branding.css ?? '',
    },
    shell: [...(later.shell ?? [])],
    commands: commandsOf(later.commands ?? {}),
    hookLimits: { ...(later.hookLimits ?? usualHookLimits) },
  }
}

function thawed({ sorting, perm, commands, ...rest }: StoredDefaults): Settings['defaults'] {
  return { ...rest, sorting: { ...sorting }, perm: { ...perm }, commands: [...commands] }
}

function themeOf(stored: string): Settings['branding']['theme'] {
  return stored === 'light' || stored === 'dark' ? stored : ''
}

function commandsOf(stored: Readonly<Record<string, readonly string[]>>) {
  const names = [...new Set([...hookEvents, ...Object.keys(stored)])]
  return Object.fromEntries(names.map((name) => [name, [...(stored[name] ?? [])]])) as Record<HookEvent, string[]>
}
