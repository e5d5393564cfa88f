import { batch, signal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'
import { call, HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { connectSession } from '../api/session-port.ts'
import { userOf } from '../api/token.ts'
import { getItem, setItem, storageKey } from './storage.ts'

/** The signed-in user, or null. */
export const user = signal<TokenUser | null>(null)
export const token = signal<string | undefined>(undefined)
/** Whether the session has expired, which the login screen then reports. False after a sign-out. */
export const expired = signal(false)
/** The session has ended during work that must not be lost: the page stays, and a prompt asks for the password. */
export const locked = signal(false)
/** Why the automatic sign-in (noauth, proxy) failed. */
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
  // After a sign-out or another sign-in meanwhile, the received token is dropped.
  if (token.value === before) take(received)
}

/** Ends the session, in the page even when the server does not answer. `then` runs in the same batch as the end. */
export async function logout(then: () => void): Promise<void> {
  if (token.value) await call('POST /api/logout').catch(() => undefined)
  batch(() => {
    forget()
    then()
  })
}

/**
 * Restores the session before the page is rendered: a stored token is renewed, which also sets the cookie for images and
 * downloads. Without a login page (noauth, proxy) the page signs in automatically.
 */
export async function startSession(): Promise<void> {
  restore()
  if (token.value) await renew().catch(notRenewed)
  if (!token.value && !pageConfig.LoginPage) await login('', '').catch(refuse)
}

/** While `isUnderWay` is true, the end of the session locks the page instead of leaving it. @returns a function that removes it */
export function stayWhile(isUnderWay: () => boolean): () => void {
  reasonsToStay.add(isUnderWay)
  return () => void reasonsToStay.delete(isUnderWay)
}

/** Follows what other tabs do: sign-out, renewal, and the sign-in of another user. */
export function followOtherTabs(page: Pick<Window, 'addEventListener'>, reload: () => void): void {
  page.addEventListener('storage', (event) => {
    // The key is null when the whole storage was cleared.
    if (event.key !== storageKey(tokenName) && event.key !== null) return
    const before = user.value?.id
    if (event.key === null || event.newValue === null) forget()
    else restore()
    // The page shows the data of another user.
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

// Keeps the user: only the server needs the password again.
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

// Only a refusal ends the session: a server that cannot be reached may be back before the next call.
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
