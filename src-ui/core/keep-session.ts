import type { ReadonlySignal } from '@preact/signals-core'
import { lifetimeOf } from '../api/token.ts'
import { renew, token } from './session.ts'
import type { Workspace } from './workspace.ts'

/** The part of its lifetime after which a token is renewed. */
const renewedAfter = 0.45
/** The longest wait, in milliseconds: timers do not run while a computer sleeps, so the clock is read at least this often. */
const longestWait = 60_000

/** Milliseconds after which a new token is renewed; undefined when its lifetime is unknown. */
export function renewalDelay(received: string): number | undefined {
  const lifetime = lifetimeOf(received)
  return lifetime === undefined ? undefined : lifetime * 1000 * renewedAfter
}

/**
 * Renews the session while `isNeeded` is true: an idle page makes no call, and during the upload of one large file no answer asks
 * for the renewal. The time is counted from when the token was received, because the clocks of page and server may differ.
 */
export function keepSession(workspace: Workspace, isNeeded: ReadonlySignal<boolean>): void {
  let received = { token: token.value, at: Date.now() }
  workspace.effect(() => {
    if (received.token !== token.value) received = { token: token.value, at: Date.now() }
    const delay = token.value && isNeeded.value ? renewalDelay(token.value) : undefined
    return delay === undefined ? undefined : whenDue(workspace, received.at + delay)
  })
}

/** Renews at a time, in milliseconds since the epoch, and again every minute until it is stopped. @returns what stops it */
function whenDue(workspace: Workspace, due: number): () => void {
  let clear = () => {}
  const wait = (left: number) => {
    clear = workspace.timeout(look, Math.min(longestWait, Math.max(0, left)))
  }
  const look = () => {
    const left = due - Date.now()
    if (left > 0) return wait(left)
    // A new token stops this. A server that cannot be reached now may answer later.
    void renew().catch(() => undefined)
    wait(longestWait)
  }
  wait(due - Date.now())
  return () => clear()
}
