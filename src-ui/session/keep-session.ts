import { effect, type ReadonlySignal } from '@preact/signals-core'
import { lifetimeOf } from '../api/token.ts'
import { close, open, overlay } from '../core/overlay.ts'
import { locked, renew, token } from '../core/session.ts'

/** When a token is renewed while something is under way, as a part of its life: before half of it is gone. */
const renewedAfter = 0.45
/** The longest time that a timer can be set to, in milliseconds. */
const longestTimer = 2 ** 31 - 1

/** After which time a new token is to be renewed, in milliseconds; undefined when it does not say how long it lasts. */
export function renewalDelay(received: string): number | undefined {
  const life = lifetimeOf(received)
  return life === undefined ? undefined : Math.min(longestTimer, Math.max(1, life * 1000 * renewedAfter))
}

/**
 * Renews the session as long as something is under way, for a single large file brings no answer that would ask for it.
 * The clocks of page and server may differ: what counts is the time since the token was received.
 */
export function keepSession(isUnderWay: ReadonlySignal<boolean>): void {
  let received = { token: token.value, at: performance.now() }
  effect(() => {
    if (received.token !== token.value) received = { token: token.value, at: performance.now() }
    const delay = token.value && isUnderWay.value ? renewalDelay(token.value) : undefined
    if (delay === undefined) return
    const left = Math.max(0, received.at + delay - performance.now())
    // A server that is out of reach now may be back before the token ends: its own answers ask again.
    const timer = setTimeout(() => void renew().catch(() => undefined), left)
    return () => clearTimeout(timer)
  })
}

/** Asks for the password once a session is over that must go on, as soon as nothing else lies over the page. */
export function askForPassword(): void {
  let hasAsked = false
  effect(() => {
    if (!locked.value) {
      hasAsked = false
      close('password')
    } else if (!hasAsked && overlay.value.kind === 'none') {
      hasAsked = true
      open({ kind: 'password' })
    }
  })
}
