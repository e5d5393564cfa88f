import { commandTableSlice } from '../core/command.ts'
import type { Item } from '../core/entries.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { nameOf } from '../core/paths.ts'
import { run } from '../core/run.ts'
import type { Left } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { type DoneBy, type Step, undoSlice } from './undo.ts'

/** The label of the command for a step: `Undo rename of a.txt`; undefined when the default label is used. */
export function stepLabel(step: Step | undefined, by: 'undo' | 'redo'): string | undefined {
  if (!step || step.kind === 'final') return undefined
  // The label contains the original name.
  if (step.kind === 'rename') return t(`undo.${by}.rename`, { name: isolate(nameOf(by === 'undo' ? step.to : step.from)) })
  const [first] = step.items
  if (step.items.length === 1 && first) return t(`undo.${by}.${step.kind}`, { name: isolate(first.name) })
  return t(`undo.${by}.${step.kind}Many`, { count: step.items.length })
}

type Offered = {
  /** What was recorded. */
  step: Step
  by: DoneBy
  /** A second line of the notice. */
  rest?: { detail?: string }
}

/**
 * Reports what was done, in a notice that offers to undo it or, after an undo, to do it again. The older notice is dismissed: its button
 * would undo another step than its text names.
 */
export function offerUndo(workspace: Workspace, text: string, { step, by, rest }: Offered): void {
  const notices = workspace.use(noticesSlice)
  const undoStack = workspace.use(undoSlice)
  const commandTable = workspace.use(commandTableSlice)
  if (undoStack.noticeId !== undefined) notices.dismiss(undoStack.noticeId)
  const id = by === 'undo' ? 'redo' : 'undo'
  const isLast = (id === 'undo' ? undoStack.done : undoStack.undone).value.at(-1) === step
  const label = isLast ? stepLabel(step, id) : undefined
  const action = label === undefined ? undefined : { label, run: () => void run(workspace, commandTable.get(id)) }
  undoStack.noticeId = notices.succeed(text, { ...rest, action })
}

/** Reports which items something was not done with, and why with the first. */
export function reportFailed(workspace: Workspace, text: string, failed: Left<Item>['failed']): void {
  const [first] = failed
  if (!first) return
  const detail = t('transfer.failure', { name: isolate(first.item.name), cause: failureReason(first.failure) })
  workspace.use(noticesSlice).fail(text, detail)
}
