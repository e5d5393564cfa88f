// Reads the trash again when the server can be reached again.
import { liveSlice } from '../core/live.ts'
import type { Workspace } from '../core/workspace.ts'
import type { TrashItems } from './trash-items.ts'

/** Milliseconds between two attempts while there is no connection over which the server tells that it is back. */
const retryPause = 15_000

/** @returns what ends it */
export function loadWhenBack(workspace: Workspace, items: Pick<TrashItems, 'failure' | 'load'>): () => void {
  const live = workspace.use(liveSlice)
  let { openedAt } = live
  let stopTimer = () => {}
  const isFailed = () => items.failure.peek() !== undefined
  const load = () => void items.load({ isBackground: true })
  const stopNews = live.followNews('acts', () => {
    // A connection is new: what has changed before it was not told.
    const isBack = live.openedAt !== openedAt && openedAt !== undefined
    openedAt = live.openedAt
    if (isBack || isFailed()) load()
  })
  const wait = () => {
    stopTimer = workspace.timeout(async () => {
      await items.load({ isBackground: true })
      if (isFailed()) wait()
    }, retryPause)
  }
  const stopFailure = items.failure.subscribe((failure) => {
    stopTimer()
    if (failure !== undefined) wait()
  })
  const online = () => {
    if (isFailed()) load()
  }
  globalThis.addEventListener?.('online', online)
  return () => {
    stopNews()
    stopFailure()
    stopTimer()
    globalThis.removeEventListener?.('online', online)
  }
}
