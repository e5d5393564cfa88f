import type { Key } from '../i18n/t.ts'
import type { IconName } from '../ui/icon.tsx'
import type { Entry } from './entries.ts'
import { entryViewSlice } from './entry-view.ts'
import { requiredSlice, type Workspace } from './workspace.ts'

/** Where a command is offered. */
export type Place =
  | 'header'
  | 'more'
  | 'new'
  | 'sort'
  | 'view'
  | 'selection'
  /** The menu of entries: right-click, Menu key, a row's three dots. */
  | 'context'
  /** The menu of the folder itself, on its empty space. */
  | 'folder'
  /** The menu of the file that is shown. */
  | 'viewer'
  | 'sidebar'
  /** The menu of entries of the trash. */
  | 'trash'

/**
 * Where its keys count. An open overlay hides the scopes below it. `drag` is innermost while something is dragged;
 * `columnHeaders`, `path` and `picker` count while the focus is in an element with that `data-scope`. `viewer` counts
 * while a file is shown, `picture` and `player` while it is of that kind, `editor` instead of it while it is a text. The rows of the
 * trash have the keys of `trash` themselves.
 */
export type Scope =
  | 'everywhere'
  | 'listing'
  | 'viewer'
  | 'picture'
  | 'player'
  | 'editor'
  | 'columnHeaders'
  | 'path'
  | 'picker'
  | 'drag'
  | 'overlay'
  | 'trash'

/** What a command acts on: the selection, or what a menu was opened on. */
export type Target = { items: readonly Entry[]; folder: string }

/** Something a person can do, defined once for every menu, button and key. */
export type Command = {
  /** `newDir`, `view.list` */
  id: string
  label: Key
  /** Its name where no heading completes it: `Sort by size` for `Size`. */
  fullLabel?: Key
  /** What it does now, when that says more than its label: `Undo rename of a.txt`. */
  currentLabel?: (workspace: Workspace) => string | undefined
  /** Only a key runs it, such as moving the focus: it is in no menu and not in the palette. */
  keyOnly?: boolean
  icon?: IconName
  /** `Mod+C`, `F2`, `Delete`: Mod is Ctrl, and Cmd on a Mac. */
  keys?: readonly string[]
  /** The keys of a key-only command that does the same: shown beside this one, and bound by that one. */
  shownKeys?: readonly string[]
  /** When false, its keys do something else now and are not shown beside it. */
  showsKeys?: (workspace: Workspace) => boolean
  /** When false the browser handles its keys: for copying the text that is selected. */
  takesKey?: (workspace: Workspace, chord: string) => boolean
  /** Whether a key that is held does it again and again, such as moving the focus. Otherwise it does it once. */
  repeats?: boolean
  scope: Scope
  places?: readonly Place[]
  /** Entries of one group are together in a menu; a line separates it from the next. */
  group?: string
  danger?: boolean
  /** Whether this person can use it here at all. Not shown when false. */
  allowed?: (workspace: Workspace) => boolean
  /** Whether it applies to the target now. When false it is shown disabled, and its key does nothing. */
  ready?: (workspace: Workspace, target: Target) => boolean
  /** Why it does not apply now. */
  reason?: (workspace: Workspace, target: Target) => Key
  /** Why it would do nothing now, as far as this page knows. It is shown disabled, and its key asks the server all the same. */
  idle?: (workspace: Workspace) => Key | undefined
  /** For one of several choices: whether it is the current one. */
  checked?: (workspace: Workspace) => boolean
  run: (workspace: Workspace, target: Target) => void | Promise<void>
}

/** Its name where it is shown by itself. */
export const fullLabelOf = ({ label, fullLabel }: Command): Key => fullLabel ?? label
export const isAllowed = (workspace: Workspace, command: Command): boolean => command.allowed?.(workspace) ?? true

export function isReady(workspace: Workspace, command: Command, target = selectionTarget(workspace)): boolean {
  return isAllowed(workspace, command) && (command.ready?.(workspace, target) ?? true)
}

/** Why a command does not apply; undefined when it does or has no reason to give. */
export function reasonOf(workspace: Workspace, command: Command, target = selectionTarget(workspace)): Key | undefined {
  return isReady(workspace, command, target) ? undefined : command.reason?.(workspace, target)
}

/** What commands act on when they do not run from a menu with its own target. */
export const selectionTarget = (workspace: Workspace): Target => workspace.use(entryViewSlice).target()

/** The keys that open the menu of an entry. Not every keyboard has the first two. */
export const menuKeys: readonly string[] = ['Shift+F10', 'ContextMenu', 'Mod+Shift+Enter']

/** The commands of all features. */
export class CommandTable {
  commands: readonly Command[]
  /** Keys that were pressed before their commands came, and when, in milliseconds: the later part does what they are for. */
  readonly early: { chord: string; at: number }[] = []
  readonly #workspace: Workspace

  constructor(workspace: Workspace, commands: readonly Command[]) {
    this.#workspace = workspace
    this.commands = commands
  }

  /** Adds commands that come with a lazy part. */
  add(some: readonly Command[]): void {
    this.commands = [...this.commands, ...some]
  }

  /** What one place offers this person now, in the table's order. */
  offered(place: Place): Command[] {
    return this.commands.filter((command) => command.places?.includes(place) && isAllowed(this.#workspace, command))
  }

  /** @throws Error when no command has this id */
  get(id: string): Command {
    const found = this.commands.find((command) => command.id === id)
    if (!found) throw new Error(`no command ${id}`)
    return found
  }
}

/** The application provides it with the commands of all features. */
export const commandTableSlice = requiredSlice<CommandTable>('commands')
