import { presenceSlice } from '../core/presence.ts'
import type { Workspace } from '../core/workspace.ts'
import { listingSlice } from './listing.ts'

/** Minimal age in ms of a listing that is refreshed on return. */
const leastAge = 2000

/** Refreshes the folder when the user returns to the page, because another tab or program may have changed it. */
export function refreshOnReturn(workspace: Workspace): void {
  const listing = workspace.use(listingSlice)
  const { returns } = workspace.use(presenceSlice)
  workspace.effect(() => {
    if (returns.value === 0) return
    const refresh = () => void listing.refreshQuietly()
    return workspace.timeout(refresh, Math.max(0, listing.readAt + leastAge - performance.now()))
  })
}
