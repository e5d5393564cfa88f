import type { ReadonlySignal } from '@preact/signals-core'
import { lifetimeOf } from '../api/token.ts'
import { renew, token } from './session.ts'
import type { Workspace } from './workspace.ts'

/** When a token is renewed while something runs, as a part of its lifetime. */
const renewedAfter = 0.45
/** The longest delay that a timer takes, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** After which time a new token is to be renewed, in milliseconds; undefined when it does not tell its lifetime. */
export function renewalDelay(received: string): number | undefined {
  const lifetime = lifetimeOf(received)
  return lifetime === undefined ? undefined : Math.min(longestTimer, Math.max(1, lifetime * 1000 * renewedAfter))
}

/**
 * Renews the session while something runs: during the upload of one large file no answer asks for it. The clocks of page
 * and server may differ, so the time counts from when the token was received.
 */
export function keepSession(workspace: Workspace, isRunning: ReadonlySignal<boolean>): void {
  let received = { token: token.value, at: performance.now() }
  workspace.effect(() => {
    if (received.token !== token.value) received = { token: token.value, at: performance.now() }
    const delay = token.value && isRunning.value ? renewalDelay(token.value) : undefined
    if (delay === undefined) return
    const left = Math.max(0, received.at + delay - performance.now())
    // A server that cannot be reached now may answer before the token ends, and then asks for the renewal itself.
    return workspace.timeout(() => void renew().catch(() => undefined), left)
  })
}
