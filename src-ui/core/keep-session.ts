import type { ReadonlySignal } from '@preact/signals-core'
import { lifetimeOf } from '../api/token.ts'
import { renew, token } from './session.ts'
import type { Workspace } from './workspace.ts'

/** The part of its lifetime after which a token is renewed while something runs. */
const renewedAfter = 0.45
/** The longest delay that a timer takes, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** Milliseconds after which a new token is renewed; undefined when its lifetime is unknown. */
export function renewalDelay(received: string): number | undefined {
  const lifetime = lifetimeOf(received)
  return lifetime === undefined ? undefined : Math.min(longestTimer, Math.max(1, lifetime * 1000 * renewedAfter))
}

/**
 * Renews the session while something runs: during the upload of one large file no answer asks for the renewal. The time is
 * counted from when the token was received, because the clocks of page and server may differ.
 */
export function keepSession(workspace: Workspace, isRunning: ReadonlySignal<boolean>): void {
  let received = { token: token.value, at: performance.now() }
  workspace.effect(() => {
    if (received.token !== token.value) received = { token: token.value, at: performance.now() }
    const delay = token.value && isRunning.value ? renewalDelay(token.value) : undefined
    if (delay === undefined) return
    const left = Math.max(0, received.at + delay - performance.now())
    // After a failure, the next answer of the server asks for the renewal.
    return workspace.timeout(() => void renew().catch(() => undefined), left)
  })
}
