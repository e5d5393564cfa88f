// The calls about users, and the overlay that asks before one is deleted.
import type { User, UserFields } from '../../src-server/contract/users.ts'
import { call, callWithHeaders, HttpFailure } from '../api/http.ts'
import { isAnswerLost, unlessGone } from '../core/failure-reason.ts'
import { isSame, onTop } from './on-top.ts'
import { draftOf, rulesOf, type UserDraft, withAdministrator, wordsOf } from './user-draft.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Asks before a user is deleted. */
    deleteUser: { id: number; username: string; onDeleted?: () => void }
  }
}

export const listUsers = (signal: AbortSignal): Promise<readonly User[]> => call('GET /api/users', { signal })
export const readUser = (id: number, signal?: AbortSignal): Promise<User> =>
  call('GET /api/users/:id', { id, ...(signal && { signal }) })
/** Also when the user is gone already, as after an answer that was lost. */
export const deleteUser = (id: number): Promise<unknown> => call('DELETE /api/users/:id', { id }).catch(unlessGone)

/** What a new user has before the form is changed: the defaults of the settings. */
export async function readDefaults(signal: AbortSignal): Promise<User> {
  const { defaults } = await call('GET /api/settings', { signal })
  return { ...defaults, id: 0, username: '', password: '', lockPassword: false, rules: [] }
}

/** What a form has sent without an answer: the server may have done it. */
export type UserAttempts = { lost?: UserFields }

/**
 * Makes a user, also when the server has done it and its answer is lost.
 * @param attempts those of the same form @param currentPassword of who makes it
 * @returns the address of the user's page, without the base URL
 */
export async function createUser(draft: UserDraft, attempts: UserAttempts, currentPassword?: string): Promise<string> {
  const data = fieldsOf(draft)
  try {
    const body = { what: 'user', which: [], data, ...confirmedBy(currentPassword) } as const
    const { headers } = await callWithHeaders('POST /api/users', { body })
    return headers.get('Location') ?? '/settings/users'
  } catch (failure) {
    const isTaken = failure instanceof HttpFailure && failure.status === 409
    const isMine = isAnswerLost(failure) || (isTaken && isSame(attempts.lost, data))
    const made = isMine ? await madeAs(data) : undefined
    if (made) return `/settings/users/${made.id}`
    if (isAnswerLost(failure)) attempts.lost = data
    throw failure
  }
}

/** The user that has what was sent. */
async function madeAs(sent: UserFields): Promise<User | undefined> {
  const users = await call('GET /api/users').catch(() => [])
  return users.find((user) => isSame(toldOf(fieldsOf(draftOf(user))), toldOf(sent)))
}

/** The password is not told, and the folder may be chosen by the server. */
const toldOf = ({ password: _, scope: __, perm, ...rest }: UserFields) => ({
  ...rest,
  perm: Object.entries(perm ?? {}).toSorted(),
})

/**
 * Stores what was changed in the form, so that what others changed meanwhile stays.
 * @param before what the form was loaded with; an empty password keeps the old one
 * @param currentPassword of who changes it
 */
export async function changeUser(id: number, draft: UserDraft, before: UserDraft, currentPassword?: string): Promise<void> {
  const [fields, old] = [fieldsOf(draft), fieldsOf(before)]
  const which = (Object.keys(fields) as (keyof typeof fields)[]).filter((name) => !isSame(fields[name], old[name]))
  // To the server, no names are all of them.
  if (which.length === 0) return
  const perm = which.includes('perm') ? { perm: await permissionsOnTop(id, draft.perm, before.perm) } : {}
  const data = { id, ...Object.fromEntries(which.map((name) => [name, fields[name]])), ...perm }
  await call('PUT /api/users/:id', { id, body: { what: 'user', which, data, ...confirmedBy(currentPassword) } })
}

/** The server stores the permissions as one field. */
async function permissionsOnTop(id: number, mine: User['perm'], before: User['perm']): Promise<User['perm']> {
  const { perm: now } = await call('GET /api/users/:id', { id })
  const perm = onTop(mine, before, now)
  return withAdministrator({ perm }, perm.admin).perm
}

/** The form on top of what is stored now. @param before what it was loaded with, or what was sent */
export function draftOnTop(mine: UserDraft, before: UserDraft, now: User): UserDraft {
  return mine === before ? draftOf(now) : draftOf({ ...now, ...onTop(fieldsOf(mine), fieldsOf(before), fieldsOf(draftOf(now))) })
}

/** Whether two forms store the same. */
export const isSameUser = (one: UserDraft, other: UserDraft): boolean => isSame(fieldsOf(one), fieldsOf(other))

const confirmedBy = (password: string | undefined) => (password === undefined ? {} : { current_password: password })

function fieldsOf({ commands, rules, ...same }: UserDraft): UserFields {
  return { ...same, username: same.username.trim(), commands: wordsOf(commands), rules: rulesOf(rules) }
}
