import { signal } from '@preact/signals-core'
import type { Item } from '../core/entries.ts'
import { noticesSlice } from '../core/notices.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import type { Key } from '../i18n/t.ts'

/** What to do to undo or redo something. */
export type Step =
  /** Items with their current paths, and the folder to move them to. */
  | { kind: 'move'; items: readonly Item[]; to: string }
  /** The current path, and the new one. */
  | { kind: 'rename'; from: string; to: string }
  /** What was deleted, with its item in the trash; after an undo what was put back. */
  | { kind: 'delete'; items: readonly Trashed[] }
  /** It cannot be undone, because of `reason`. */
  | { kind: 'final'; reason: Key }

export type Trashed = Item & { trashId: string }

/** Whether the user does something new, or Undo or Redo does it. */
export type DoneBy = 'person' | 'undo' | 'redo'

/** The maximum number of steps. */
const mostSteps = 100

/** The steps that can be undone and redone, the latest last. */
export class UndoStack {
  readonly done = signal<readonly Step[]>([])
  readonly undone = signal<readonly Step[]>([])
  /** The notice that offers to undo the last step. */
  noticeId: number | undefined

  /** Records how to undo something. A new action of the user clears the steps that could be redone. */
  record(step: Step, by: DoneBy = 'person'): void {
    if (by === 'person') this.undone.value = []
    const stack = by === 'undo' ? this.undone : this.done
    stack.value = [...stack.value, step].slice(-mostSteps)
  }

  take(by: 'undo' | 'redo'): Step | undefined {
    const stack = by === 'undo' ? this.done : this.undone
    const step = stack.value.at(-1)
    stack.value = stack.value.slice(0, -1)
    return step
  }

  /** Puts back a step that failed, or the rest of it. */
  putBack(step: Step, by: 'undo' | 'redo'): void {
    const stack = by === 'undo' ? this.done : this.undone
    stack.value = [...stack.value, step]
  }

  /** Forgets everything. */
  clear(): void {
    this.done.value = []
    this.undone.value = []
  }
}

export const undoSlice = slice('undo', () => new UndoStack())

/**
 * Records that what a person has just done cannot be undone, so that Ctrl+Z does not undo the change before it instead. The notice that
 * offers to undo that one goes.
 */
export function recordFinal(workspace: Workspace, reason: Key): void {
  const undoStack = workspace.use(undoSlice)
  if (undoStack.noticeId !== undefined) workspace.use(noticesSlice).dismiss(undoStack.noticeId)
  undoStack.record({ kind: 'final', reason })
}
