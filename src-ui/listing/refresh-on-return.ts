import { presenceSlice } from '../core/presence.ts'
import type { Workspace } from '../core/workspace.ts'
import { listingSlice } from './listing.ts'

/** How old a listing is at least when it is read anew on return, in milliseconds. */
const leastAge = 2000

/** Reads the folder anew when the person comes back to the page: another tab or program may have changed it. */
export function refreshOnReturn(workspace: Workspace): void {
  const listing = workspace.use(listingSlice)
  const { returns } = workspace.use(presenceSlice)
  workspace.effect(() => {
    if (returns.value === 0) return
    const refresh = () => void listing.refreshQuietly()
    return workspace.timeout(refresh, Math.max(0, listing.readAt + leastAge - performance.now()))
  })
}
