import { batch, signal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'
import { call, HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { connectSession } from '../api/session-port.ts'
import { userOf } from '../api/token.ts'
import { getItem, setItem, storageKey } from './storage.ts'

/** Who is signed in; null is nobody. */
export const user = signal<TokenUser | null>(null)
export const token = signal<string | undefined>(undefined)
/** The session ended by itself, not by logging out: the login screen says so. */
export const expired = signal(false)
/** The session is over while something is under way: the page stays as it is, and the password is asked for in place. */
export const locked = signal(false)
/** Why the page could not sign in by itself, where nobody types a password. */
export const refusal = signal<unknown>(undefined)

const tokenName = 'token'
const reasonsToStay = new Set<() => boolean>()
let renewing: Promise<void> | undefined

/** @throws HttpFailure: 401 or 403 for wrong credentials, 429 and 503 with `retryAfter`. */
export async function login(username: string, password: string): Promise<void> {
  take(await call('POST /api/login', { body: { username, password } }))
}

/** A new token for the same session; calls at the same time share one. @throws HttpFailure */
export function renew(): Promise<void> {
  renewing ??= renewNow().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewNow(): Promise<void> {
  const before = token.value
  const received = await call('POST /api/renew')
  // Whoever logged out meanwhile stays out, and whoever signed in instead stays who they are.
  if (token.value === before) take(received)
}

/** Ends the session, here even when the server does not answer. `then` happens in the same moment as the page forgets. */
export async function logout(then: () => void): Promise<void> {
  if (token.value) await call('POST /api/logout').catch(() => undefined)
  batch(() => {
    forget()
    then()
  })
}

/**
 * What the page knows of its session before the first picture: a kept token is renewed, which also sets the cookie
 * that images and downloads need; where nobody types a password, the page signs in by itself.
 */
export async function startSession(): Promise<void> {
  restore()
  if (token.value) await renew().catch(notRenewed)
  if (!token.value && !pageConfig.LoginPage) await login('', '').catch(refuse)
}

/** Tells when the end of a session must not take the page away. @returns what takes that back */
export function stayWhile(isUnderWay: () => boolean): () => void {
  reasonsToStay.add(isUnderWay)
  return () => void reasonsToStay.delete(isUnderWay)
}

/** Another tab signed out, renewed, or signed in as somebody else. */
export function followOtherTabs(page: Pick<Window, 'addEventListener'>, reload: () => void): void {
  page.addEventListener('storage', (event) => {
    // A null key is a storage that was cleared as a whole.
    if (event.key !== storageKey(tokenName) && event.key !== null) return
    const before = user.value?.id
    if (event.key === null || event.newValue === null) forget()
    else restore()
    // What stands on the page is another person's: begin afresh.
    if (before !== undefined && user.value && user.value.id !== before) reload()
  })
}

function take(received: string): void {
  const owner = userOf(received)
  setItem(tokenName, received)
  batch(() => {
    token.value = received
    user.value = owner
    expired.value = false
    locked.value = false
  })
}

function forget(): void {
  setItem(tokenName, undefined)
  batch(() => {
    token.value = undefined
    user.value = null
    locked.value = false
  })
}

// Who was here is still who is here, as far as the page is concerned; only the server wants to hear the password again.
function lock(): void {
  setItem(tokenName, undefined)
  batch(() => {
    token.value = undefined
    locked.value = true
  })
}

function restore(): void {
  const stored = getItem(tokenName)
  if (!stored) return
  try {
    take(stored)
  } catch (failure) {
    console.warn(failure instanceof Error ? failure.message : failure)
  }
}

// Only a refusal ends the session: a server that is out of reach may be back before the next call.
function notRenewed(failure: unknown): void {
  if (failure instanceof HttpFailure && failure.status === 0) return
  if (failure instanceof HttpFailure && failure.status >= 500) return
  forget()
}

function refuse(failure: unknown): void {
  refusal.value = failure
}

connectSession({
  token: () => token.value,
  renew: () => void renew().catch(() => undefined),
  ended(refused) {
    // An answer to an older token says nothing about the one that replaced it.
    if (refused !== token.value) return
    if ([...reasonsToStay].some((isUnderWay) => isUnderWay())) return lock()
    expired.value = true
    forget()
  },
})
