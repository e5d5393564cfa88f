import { signal } from '@preact/signals-core'
import type { Item } from '../core/entries.ts'
import { nameOf } from '../core/paths.ts'
import { slice } from '../core/workspace.ts'
import { isolate, type Key, t } from '../i18n/t.ts'

/** What takes something back, or does it again. */
export type Step =
  /** Items where they are now, and the folder that they are to go to. */
  | { kind: 'move'; items: readonly Item[]; to: string }
  /** The path now, and the path that it is to get. */
  | { kind: 'rename'; from: string; to: string }
  /** It cannot be taken back: why. */
  | { kind: 'final'; reason: Key }

/** Who does something: the person anew, or Undo or Redo. */
export type DoneBy = 'person' | 'undo' | 'redo'

/** How many steps are kept. */
const mostSteps = 100

/** What was done, the last at the end, and what of it was undone. */
export class UndoStack {
  readonly done = signal<readonly Step[]>([])
  readonly undone = signal<readonly Step[]>([])
  /** The notice that offers to undo the last step. */
  noticeId: number | undefined

  /** Records how something is taken back. What was undone before cannot be done again once the person does something new. */
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

  /** Puts back a step, or what is left of it, that could not be taken. */
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

/** `Undo rename of a.txt`: the command for a step; undefined when the step says nothing more than the command. */
export function stepLabel(step: Step | undefined, by: 'undo' | 'redo'): string | undefined {
  if (!step || step.kind === 'final') return undefined
  // A rename is called by the name that it began with.
  if (step.kind === 'rename') return t(`undo.${by}.rename`, { name: isolate(nameOf(by === 'undo' ? step.to : step.from)) })
  const [first] = step.items
  if (step.items.length === 1 && first) return t(`undo.${by}.move`, { name: isolate(first.name) })
  return t(`undo.${by}.moveMany`, { count: step.items.length })
}
