import { signal } from '@preact/signals-core'
import type { NameConflict } from '../operations/conflicts.ts'
import type { Entry } from './entries.ts'
import type { Item } from './paths.ts'

/**
 * What lies over the page, with what it needs: one at a time is a type and not a rule.
 * A prompt adds its kind here; its component is listed in features/prompts.
 */
export type Overlay =
  | { kind: 'none' }
  /** The sidebar as a drawer, below 900 px. */
  | { kind: 'sidebar' }
  /** The header's menus. */
  | { kind: 'more' }
  | { kind: 'new' }
  | { kind: 'sort' }
  /** The folders that the path has no room for. */
  | { kind: 'path' }
  | { kind: 'palette' }
  | { kind: 'help' }
  /** The menu of what is selected or, on empty space, of the folder; where it was asked for, in pixels of the window. */
  | { kind: 'context'; of: 'selection' | 'folder'; at: { x: number; y: number } }
  /** The session is over and something is under way that must not be lost. */
  | { kind: 'password' }
  /** Whether all uploads are to be cancelled. */
  | { kind: 'cancelUploads' }
  | { kind: 'newDir' }
  | { kind: 'newFile' }
  /** Another name for an entry: typed in its row, or asked for by a dialog. */
  | { kind: 'rename'; entry: Entry; inPlace: boolean }
  | { kind: 'delete'; items: readonly Item[] }
  /** Where to, for things that stand in a folder. */
  | { kind: 'move' | 'copy'; items: readonly Item[]; from: string }
  /** About these, or with none of them about the folder that is shown. */
  | { kind: 'info'; items: readonly Entry[] }
  /** Names that are taken in the folder where things are moved or copied to. */
  | { kind: 'replace-rename'; taken: readonly NameConflict[]; into: string }
  /** Uploads whose names are taken; which ones is known to the queue. */
  | { kind: 'replace' }

export const overlay = signal<Overlay>({ kind: 'none' })

/** Shows this and nothing else. */
export function open(wanted: Exclude<Overlay, { kind: 'none' }>): void {
  overlay.value = wanted
}

/** Closes whatever is open or, when a kind is named, only that: what was opened since stays. */
export function close(kind?: Overlay['kind']): void {
  if (!kind || overlay.value.kind === kind) overlay.value = { kind: 'none' }
}
