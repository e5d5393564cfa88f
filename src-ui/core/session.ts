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
/** A session that was kept from an earlier visit has ended meanwhile: the login screen says so. */
export const expired = signal(false)
/** The session has ended by itself: the page stays as it is, and calls wait until the same person has signed in again. */
export const locked = signal(false)
/** Whether the person is being asked to sign in again, over whatever is open. */
export const isSignInAsked = signal(false)
/** Why the page could not sign in by itself, where nobody types a password. */
export const refusal = signal<unknown>(undefined)

const tokenName = 'token'
/** What the calls that wait for a sign-in are told: whether the same person has signed in. */
const waiting = new Set<(isSamePerson: boolean) => void>()
let renewing: Promise<void> | undefined
let isStarting = false
let isSigningIn = false

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
  isStarting = true
  if (token.value) await renew().catch(notRenewed)
  isStarting = false
  if (!token.value && !pageConfig.LoginPage) await login('', '').catch(refuse)
}

/** Asks for a sign-in, after which what waits for it goes on. Where nobody types a password, the page tries by itself first. */
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

/** The person does not sign in now: what waits for it is refused, and the next call asks again. */
export function postponeSignIn(): void {
  isSignInAsked.value = false
  tellWaiting(false)
}

/** Another tab signed out, renewed, or signed in as somebody else. */
export function followOtherTabs(page: Pick<Window, 'addEventListener'>, reload: () => void): void {
  page.addEventListener('storage', (event) => {
    // A null key is a storage that was cleared as a whole.
    if (event.key !== storageKey(tokenName) && event.key !== null) return
    const before = user.value?.id
    // Only a logout removes the token: a tab whose session has ended leaves it, so that the others stay as they are.
    if (event.key === null || event.newValue === null) forget()
    else restore()
    // What stands on the page is another person's: begin afresh.
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

// The page stays that of the same person; only the server has to be told the password again.
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

function signedInAgain(refused: string | undefined, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  const person = refused === undefined ? user.peek()?.id : userOf(refused).id
  if (!locked.peek()) return Promise.resolve(token.peek() !== undefined && user.peek()?.id === person)
  askToSignIn()
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

// Only a refusal ends the session: a server that is out of reach may be back before the next call. The refused token stays
// in the storage, because removing it is a logout for the other tabs.
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
