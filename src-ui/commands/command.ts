import type { Key } from '../i18n/t.ts'
import type { IconName } from '../ui/icon.tsx'

/** Where a command is offered. */
export type Place = 'header' | 'more' | 'new' | 'sort' | 'selection' | 'context' | 'sidebar'
/** Where its keys count: an open overlay hides the scopes below it. `heads` is innermost while the keyboard is at the column heads. */
export type Scope = 'everywhere' | 'listing' | 'heads' | 'overlay'

/** Something a person can do, once, for every menu, button and key. */
export type Command = {
  /** `newDir`, `view.list` */
  id: string
  label: Key
  icon?: IconName
  /** `Mod+C`, `F2`, `Delete`: Mod is Ctrl, and Cmd on a Mac. */
  keys?: readonly string[]
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

export const isAllowed = (command: Command): boolean => command.allowed?.() ?? true
export const isReady = (command: Command): boolean => isAllowed(command) && (command.ready?.() ?? true)
