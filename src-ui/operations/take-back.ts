// What a person has done is undone and done again.
import type { Command } from '../core/command.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { noticesSlice } from '../core/notices.ts'
import { nameOf } from '../core/paths.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { renameTo, transfer } from './lazy-operations.ts'
import { type Step, undoSlice } from './undo.ts'

const shared = {
  scope: 'listing',
  allowed: (workspace: Workspace) => workspace.use(entryViewSlice).may('rename'),
} as const

/** They come with the overlays: nothing can be undone before. */
export const undoCommand: Command = {
  id: 'undo',
  label: 'command.undo',
  icon: 'arrow-back-up',
  keys: ['Mod+Z'],
  ...shared,
  currentLabel: (workspace) => stepLabel(workspace.use(undoSlice).done.value.at(-1), 'undo'),
  ready: (workspace) => workspace.use(undoSlice).done.value.length > 0,
  reason: () => 'command.reason.nothingDone',
  run: undo,
}

export const redoCommand: Command = {
  id: 'redo',
  label: 'command.redo',
  icon: 'arrow-forward-up',
  keys: ['Mod+Shift+Z'],
  ...shared,
  currentLabel: (workspace) => stepLabel(workspace.use(undoSlice).undone.value.at(-1), 'redo'),
  ready: (workspace) => workspace.use(undoSlice).undone.value.length > 0,
  reason: () => 'command.reason.nothingUndone',
  run: redo,
}

/** The label of the command for a step: `Undo rename of a.txt`; undefined when the default label is used. */
export function stepLabel(step: Step | undefined, by: 'undo' | 'redo'): string | undefined {
  if (!step || step.kind === 'final') return undefined
  // The label contains the original name.
  if (step.kind === 'rename') return t(`undo.${by}.rename`, { name: isolate(nameOf(by === 'undo' ? step.to : step.from)) })
  const [first] = step.items
  if (step.items.length === 1 && first) return t(`undo.${by}.move`, { name: isolate(first.name) })
  return t(`undo.${by}.moveMany`, { count: step.items.length })
}

/** Undoes the last step. Asks about names that are taken now, and reports steps that cannot be undone. */
export function undo(workspace: Workspace): Promise<void> {
  return carryOut(workspace, 'undo')
}

/** Redoes the step that was undone last. */
export function redo(workspace: Workspace): Promise<void> {
  return carryOut(workspace, 'redo')
}

async function carryOut(workspace: Workspace, by: 'undo' | 'redo'): Promise<void> {
  const undoStack = workspace.use(undoSlice)
  const notices = workspace.use(noticesSlice)
  if (undoStack.noticeId !== undefined) notices.dismiss(undoStack.noticeId)
  const step = undoStack.take(by)
  if (step?.kind === 'final') {
    notices.fail(t('undo.impossible'), t(step.reason))
    return
  }
  const left = step && (await leftOf(workspace, step, by))
  if (left) undoStack.putBack(left, by)
}

/** @returns the part of the step that could not be done */
async function leftOf(workspace: Workspace, step: Exclude<Step, { kind: 'final' }>, by: 'undo' | 'redo') {
  if (step.kind === 'rename') return (await renameTo(workspace, step, by)) ? undefined : step
  const items = await transfer(workspace, { action: 'move', items: step.items, to: step.to, by })
  return items.length > 0 ? { ...step, items } : undefined
}
