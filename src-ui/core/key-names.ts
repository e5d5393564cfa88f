import { type Key, t } from '../i18n/t.ts'
import { isMac } from './chord.ts'
import type { Command } from './command.ts'
import type { Workspace } from './workspace.ts'

// What a Mac has not, or only together with Fn. Cmd+Space is its own search, and Option with a letter types a character in a field.
const isHardOnMac = (chord: string) => /(^|\+)(F\d+|Delete|ContextMenu)$|^Mod\+Space$|^Alt\+[A-Z]$/.test(chord)
/** Cmd, Option and a letter is for a Mac: elsewhere Ctrl and Alt together are AltGr. */
const isForMac = (chord: string) => /^Mod\+Alt\+[A-Z]$/.test(chord)

/** The keys of a command, as they are shown: first those that the keyboard of this system has. */
export function keysOf({ keys = [], shownKeys = [] }: Pick<Command, 'keys' | 'shownKeys'>, mac = isMac()): readonly string[] {
  const all = keys.length > 0 ? keys : shownKeys
  if (!mac) return all.filter((chord) => !isForMac(chord))
  return [...all.filter((chord) => !isHardOnMac(chord)), ...all.filter(isHardOnMac)]
}

/** The chord that is shown beside a command now, as in the command table. */
export const chordOf = (workspace: Workspace, command: Command): string | undefined =>
  command.showsKeys?.(workspace) === false ? undefined : keysOf(command)[0]

const signs: Record<string, string> = { Enter: '↵', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }
const macSigns: Record<string, string> = {
  Mod: '⌘',
  Alt: '⌥',
  Shift: '⇧',
  Ctrl: '⌃',
  Backspace: '⌫',
  Delete: '⌦',
  Home: '↖',
  End: '↘',
  PageUp: '⇞',
  PageDown: '⇟',
}
const names: Record<string, Key> = {
  Mod: 'key.ctrl',
  Alt: 'key.alt',
  Shift: 'key.shift',
  Space: 'key.space',
  Escape: 'key.escape',
  Backspace: 'key.backspace',
  Delete: 'key.delete',
  Home: 'key.home',
  End: 'key.end',
  PageUp: 'key.pageUp',
  PageDown: 'key.pageDown',
  ContextMenu: 'key.menu',
}

/** A chord as a menu shows it, as the keys are named in this language: `Ctrl S`, `Strg S`, `⌘ S`. */
export function showChord(chord: string, mac = isMac()): string {
  return (
    chord
      // The key + is itself the last part.
      .split(/\+(?=.)/)
      .map((part) => (mac ? macSigns[part] : undefined) ?? signs[part] ?? nameOf(part))
      .join(' ')
  )
}

function nameOf(part: string): string {
  const key = names[part]
  return key ? t(key) : part
}
