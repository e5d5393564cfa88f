import { untracked } from '@preact/signals-core'
import { presenceSlice } from '../core/presence.ts'
import { locked } from '../core/session.ts'
import type { Workspace } from '../core/workspace.ts'
import { listingSlice } from './listing.ts'

/** Minimal age in ms of a listing that is refreshed on return. */
const leastAge = 2000

/**
 * Refreshes the folder when the user returns to the page, because another tab or program may have changed it. Not where the server
 * reports every change: the connection is tried on return, and a lost one leads to another listing.
 */
export function refreshOnReturn(workspace: Workspace): void {
  const listing = workspace.use(listingSlice)
  const { returns } = workspace.use(presenceSlice)
  workspace.effect(() => {
    if (returns.value === 0) return
    const refresh = () => listing.isLive.peek() || void listing.refreshQuietly()
    return workspace.timeout(refresh, Math.max(0, listing.readAt + leastAge - performance.now()))
  })
}

/** Loads what was refused because the session had ended, when the person signs in later. */
export function loadAfterSignIn(workspace: Workspace): void {
  const listing = workspace.use(listingSlice)
  let wasLocked = locked.peek()
  workspace.effect(() => {
    const isBack = wasLocked && !locked.value
    wasLocked = locked.value
    const state = listing.state.peek()
    const isRefused = state.kind === 'failed' && state.status === 401
    if (isBack && isRefused && workspace.user.peek()) untracked(() => void listing.refresh())
  })
}
