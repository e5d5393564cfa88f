// What goes on while *Undo* is asked for.
import type { Act } from '../../src-server/contract/history.ts'
import { numberOf, type Ongoing, ongoingSlice } from '../core/own-acts.ts'
import type { Workspace } from '../core/workspace.ts'

export const ongoingAll = (workspace: Workspace): Ongoing[] => [...workspace.use(ongoingSlice)].flatMap((tell) => tell())

/** What goes on and was begun after an act, or is the act itself: it is what the person did last. */
export function ongoingAfter(workspace: Workspace, act: Act | undefined): Ongoing | undefined {
  const later = ongoingAll(workspace).filter((one) => !act || one.key === act.key || !isBegunAfter(act, one))
  // The newest first, as far as it is known.
  return later.toSorted((one, other) => (numberOf(other.key) ?? -1) - (numberOf(one.key) ?? -1))[0]
}

/** The clock of the server counts where the two are not of this page. */
function isBegunAfter({ key, at }: Act, ongoing: Ongoing): boolean {
  const [one, other] = [numberOf(key), numberOf(ongoing.key)]
  if (one !== undefined && other !== undefined) return one > other
  return ongoing.startedAt !== undefined && at > ongoing.startedAt
}
