import { batch, signal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'
import { call, HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { connectSession, type WaitingCall } from '../api/session-port.ts'
import { userOf } from '../api/token.ts'
import { getItem, setItem, storageKey } from './storage.ts'

/** The signed-in user, or null. */
export const user = signal<TokenUser | null>(null)
export const token = signal<string | undefined>(undefined)
/** Whether the stored session of an earlier visit has expired, which the login screen then reports. */
export const expired = signal(false)
/** Whether the session has expired during the work: the page stays, and calls wait until the same user has signed in again. */
export const locked = signal(false)
/** Whether the prompt to sign in again is open. */
export const isSignInAsked = signal(false)
/** Why the automatic sign-in (noauth, proxy) failed. */
export const refusal = signal<unknown>(undefined)

const tokenName = 'token'
/** What the calls that wait for a sign-in are told: whether the same person has signed in. */
const waiting = new Set<(isSamePerson: boolean) => void>()
let renewing: Promise<void> | undefined
let isStarting = false
let isSigningIn = false

/**
 * @param recaptcha what a captcha gave the page
 * @throws HttpFailure: 401 or 403 for wrong credentials, 429 and 503 with `retryAfter`.
 */
export async function login(username: string, password: string, recaptcha = ''): Promise<void> {
  take(await call('POST /api/login', { body: { username, password, ...(recaptcha && { recaptcha }) } }))
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
  isStarting = true
  if (token.value) await renew().catch(notRenewed)
  isStarting = false
  if (!token.value && !pageConfig.LoginPage) await login('', '').catch(refuse)
}

/** Asks the user to sign in, after which the waiting calls are sent. Without a login screen (noauth, proxy) the page tries it first. */
export function askToSignIn(): void {
  if (pageConfig.LoginPage) isSignInAsked.value = locked.peek()
  else if (!isSigningIn) void signInByItself()
}

async function signInByItself(): Promise<void> {
  isSigningIn = true
  await login('', '').catch(() => {
    isSignInAsked.value = locked.peek()
  })
  isSigningIn = false
}

/** Closes the prompt without a sign-in: the waiting calls fail, and the next call asks again. */
export function postponeSignIn(): void {
  isSignInAsked.value = false
  tellWaiting(false)
}

/** Follows what other tabs do: sign-out, renewal, and the sign-in of another user. */
export function followOtherTabs(page: Pick<Window, 'addEventListener'>, reload: () => void): void {
  page.addEventListener('storage', (event) => {
    // The key is null when the whole storage was cleared.
    if (event.key !== storageKey(tokenName) && event.key !== null) return
    const before = user.value?.id
    // Only a logout removes the token: a tab whose session has ended leaves it, so that the others stay as they are.
    if (event.key === null || event.newValue === null) forget()
    else restore()
    // The page shows the data of another user.
    if (before !== undefined && user.value && user.value.id !== before) reload()
  })
}

function take(received: string): void {
  const owner = userOf(received)
  const isSamePerson = owner.id === user.peek()?.id
  setItem(tokenName, received)
  batch(() => {
    token.value = received
    user.value = owner
    expired.value = false
    locked.value = false
    isSignInAsked.value = false
  })
  tellWaiting(isSamePerson)
}

function forget(): void {
  setItem(tokenName, undefined)
  becomeNobody()
}

function becomeNobody(): void {
  batch(() => {
    token.value = undefined
    user.value = null
    locked.value = false
    isSignInAsked.value = false
  })
  tellWaiting(false)
}

// Keeps the user: only the server needs the password again.
function lock(): void {
  batch(() => {
    token.value = undefined
    locked.value = true
  })
  askToSignIn()
}

function tellWaiting(isSamePerson: boolean): void {
  const told = [...waiting]
  waiting.clear()
  for (const tell of told) tell(isSamePerson)
}

function signedInAgain({ refused, signal, isBackground = false }: WaitingCall): Promise<boolean> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  const person = refused === undefined ? user.peek()?.id : userOf(refused).id
  if (!locked.peek()) return Promise.resolve(token.peek() !== undefined && user.peek()?.id === person)
  // The answer to a call from before the end of the session: the person has postponed the sign-in meanwhile.
  if (refused !== undefined && !isBackground && !isSignInAsked.peek() && !isSigningIn) return Promise.resolve(false)
  if (!isBackground) askToSignIn()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      waiting.delete(tell)
      reject(signal?.reason)
    }
    const tell = (isSamePerson: boolean) => {
      signal?.removeEventListener('abort', giveUp)
      resolve(isSamePerson)
    }
    waiting.add(tell)
    signal?.addEventListener('abort', giveUp)
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

// Only a refusal ends the session: a server that cannot be reached may be back before the next call. The refused token stays in
// the storage, because removing it signs the other tabs out.
function notRenewed(failure: unknown): void {
  if (failure instanceof HttpFailure && failure.status === 0) return
  if (failure instanceof HttpFailure && failure.status >= 500) return
  becomeNobody()
}

/** Takes the token that another tab has stored for the same person; its event may still be on the way. @returns whether there was one */
function takeNewer(refused: string): boolean {
  const stored = getItem(tokenName)
  if (!stored || stored === refused) return false
  try {
    if (userOf(stored).id !== user.peek()?.id) return false
    take(stored)
    return true
  } catch {
    return false
  }
}

function refuse(failure: unknown): void {
  refusal.value = failure
}

connectSession({
  token: () => token.value,
  renew: () => void renew().catch(() => undefined),
  ended(refused) {
    // An answer to an older token says nothing about the one that replaced it.
    if (refused !== token.value || takeNewer(refused)) return
    if (!isStarting) return lock()
    expired.value = true
    becomeNobody()
  },
  isLocked: () => locked.peek(),
  signedInAgain,
})
