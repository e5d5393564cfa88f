import { commandTableSlice } from '../core/command.ts'
import { noticesSlice } from '../core/notices.ts'
import { run } from '../core/run.ts'
import type { Workspace } from '../core/workspace.ts'
import { type DoneBy, type Step, stepLabel, undoSlice } from './undo.ts'

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
  if (undoStack.noticeId !== undefined) notices.dismiss(undoStack.noticeId)
  const id = by === 'undo' ? 'redo' : 'undo'
  const isLast = (id === 'undo' ? undoStack.done : undoStack.undone).value.at(-1) === step
  const label = isLast ? stepLabel(step, id) : undefined
  const command = workspace.use(commandTableSlice).get(id)
  const action = label === undefined ? undefined : { label, run: () => void run(workspace, command) }
  undoStack.noticeId = notices.succeed(text, { ...rest, action })
}
