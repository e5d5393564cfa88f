import type { Key } from '../i18n/t.ts'
import type { IconName } from '../ui/icon.tsx'

/** Where a command is offered. */
export type Place =
  | 'header'
  | 'more'
  | 'new'
  | 'sort'
  | 'selection'
  /** The menu of what is selected: right-click, Menu key, a row's three dots. */
  | 'context'
  /** The menu of the folder itself, on its empty space. */
  | 'folder'
  | 'sidebar'
/**
 * Where its keys count: an open overlay hides the scopes below it. `drag` is innermost while something is dragged;
 * `columnHeaders` and `path` while the keyboard is in a part of the page that says `data-scope`.
 */
export type Scope = 'everywhere' | 'listing' | 'columnHeaders' | 'path' | 'picker' | 'drag' | 'overlay'

/** Something a person can do, once, for every menu, button and key. */
export type Command = {
  /** `newDir`, `view.list` */
  id: string
  label: Key
  /** Its name where no heading says the rest: `Sort by size` for `Size`. */
  fullLabel?: Key
  /** A key's own work, such as a step of the keyboard: senseless in a menu and in the palette. */
  keyOnly?: boolean
  icon?: IconName
  /** `Mod+C`, `F2`, `Delete`: Mod is Ctrl, and Cmd on a Mac. */
  keys?: readonly string[]
  /** The keys of a step of the keyboard that does the same: shown beside it, and bound by that step. */
  shownKeys?: readonly string[]
  /** When false its keys are left to the browser: for copying the text that is selected. */
  takesKey?: () => boolean
  scope: Scope
  places?: readonly Place[]
  /** Entries of one group stand together in a menu; a line parts it from the next. */
  group?: string
  danger?: boolean
  /** Is it for this person, here, at all? Not shown when false. */
  allowed?: () => boolean
  /** Does it apply now? When false it is shown disabled, and its key does nothing. */
  ready?: () => boolean
  /** Why it does not apply now. */
  reason?: () => Key
  /** For a choice that stays: is it the one that holds? */
  checked?: () => boolean
  run: () => void | Promise<void>
}

/** Its name where it stands by itself. */
export const fullLabelOf = ({ label, fullLabel }: Command): Key => fullLabel ?? label
export const isAllowed = (command: Command): boolean => command.allowed?.() ?? true
export const isReady = (command: Command): boolean => isAllowed(command) && (command.ready?.() ?? true)
