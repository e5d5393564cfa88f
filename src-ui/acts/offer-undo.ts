// Reports of what the person has done offer to undo it.
import { noticesSlice } from '../core/notices.ts'
import type { Workspace } from '../core/workspace.ts'
import { actsSlice } from './acts.ts'
import { flipAction } from './flip-act.ts'

type Rest = { detail?: string; isNeutral?: boolean }

/**
 * Reports what was done. The notice offers to undo it as soon as the server has told what can be undone.
 * @param act what the requests were sent with; undefined when it is not known
 */
export function reportDone(workspace: Workspace, text: string, act: string | undefined, rest: Rest = {}): void {
  void offerUndo(workspace, act, workspace.use(noticesSlice).succeed(text, { ...rest, isLasting: true }))
}

/** Offers in a notice to undo an act. The older offer goes: what it would undo is not the last any more. */
export async function offerUndo(workspace: Workspace, key: string | undefined, notice: number): Promise<void> {
  const acts = workspace.use(actsSlice)
  const notices = workspace.use(noticesSlice)
  if (acts.noticeId !== undefined && acts.noticeId !== notice) notices.dismiss(acts.noticeId)
  acts.noticeId = notice
  await acts.refreshQuietly()
  const act = acts.list.peek().find((one) => one.key === key)
  const action = act?.mayUndo ? flipAction(workspace, act, 'undo') : undefined
  // From now on it goes by itself: on a slow network it would have gone before the button came.
  notices.list.value = notices.list
    .peek()
    .map((one) => (one.id === notice ? { ...one, isLasting: false, action: action ?? one.action } : one))
}
