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

/**
 * Reports what was done of an act of which a part has failed. The notice of the failure, which stays, offers to undo it.
 * @param text undefined when it is not known that anything was done: of a folder that has failed a part may be
 * @param fail reports what has failed; it returns its notice
 */
export function reportPartDone(
  workspace: Workspace,
  text: string | undefined,
  act: string | undefined,
  { fail, ...rest }: Rest & { fail: () => number | undefined },
): void {
  if (text !== undefined) workspace.use(noticesSlice).succeed(text, rest)
  const notice = fail()
  if (notice !== undefined) void offerUndoOfPart(workspace, act, notice)
}

/** Offers in a notice to undo an act. The older offer goes: what it would undo is not the last any more. */
export async function offerUndo(workspace: Workspace, key: string | undefined, notice: number): Promise<void> {
  const acts = workspace.use(actsSlice)
  const notices = workspace.use(noticesSlice)
  if (acts.noticeId !== notice) acts.withdrawOffer()
  acts.noticeId = notice
  await acts.refreshQuietly()
  const act = acts.list.peek().find((one) => one.key === key)
  const action = act?.mayUndo ? flipAction(workspace, act, 'undo') : undefined
  // From now on it goes by itself: on a slow network it would have gone before the button came.
  notices.list.value = notices.list
    .peek()
    .map((one) => (one.id === notice ? { ...one, isLasting: false, action: action ?? one.action } : one))
}

/** Offers in the notice of a failure to undo what was done nevertheless, if anything was. */
export async function offerUndoOfPart(workspace: Workspace, key: string | undefined, notice: number): Promise<void> {
  const acts = workspace.use(actsSlice)
  await acts.refreshQuietly()
  if (acts.list.peek().some((one) => one.key === key && one.mayUndo)) await offerUndo(workspace, key, notice)
}
