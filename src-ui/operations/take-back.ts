import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { renameTo, transfer } from './lazy-operations.ts'
import { remove } from './remove.ts'
import { restoreDeleted } from './restore.ts'
import { type Step, type Trashed, undoSlice } from './undo.ts'

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
  if (step.kind === 'delete') {
    const left = await (by === 'undo' ? restoreDeleted(workspace, step.items) : deleteAgain(workspace, step.items))
    return left.length > 0 ? { ...step, items: left } : undefined
  }
  if (step.kind === 'rename') return (await renameTo(workspace, step, by)) ? undefined : step
  const items = await transfer(workspace, { action: 'move', items: step.items, to: step.to, by })
  return items.length > 0 ? { ...step, items } : undefined
}

async function deleteAgain(workspace: Workspace, items: readonly Trashed[]): Promise<readonly Trashed[]> {
  const { left } = await remove(workspace, items, () => {}, { by: 'redo' })
  return items.filter((item) => left.includes(item))
}
