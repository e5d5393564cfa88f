// The calls about users, and the overlay that asks before one is deleted.
import type { User, UserFields } from '../../src-server/contract/users.ts'
import { call, callWithHeaders } from '../api/http.ts'
import { rulesOf, type UserDraft, wordsOf } from './user-draft.ts'

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** Asks before a user is deleted. */
    deleteUser: { id: number; username: string; onDeleted?: () => void }
  }
}

export const listUsers = (signal: AbortSignal): Promise<readonly User[]> => call('GET /api/users', { signal })
export const readUser = (id: number, signal: AbortSignal): Promise<User> => call('GET /api/users/:id', { id, signal })
export const deleteUser = (id: number): Promise<unknown> => call('DELETE /api/users/:id', { id })

/** What a new user has before the form is changed: the defaults of the settings. */
export async function readDefaults(signal: AbortSignal): Promise<User> {
  const { defaults } = await call('GET /api/settings', { signal })
  return { ...defaults, id: 0, username: '', password: '', lockPassword: false, rules: [] }
}

/** Makes a user. @param currentPassword of who makes it @returns the address of the user's page, without the base URL */
export async function createUser(draft: UserDraft, currentPassword?: string): Promise<string> {
  const body = { what: 'user', which: [], data: fieldsOf(draft), ...confirmedBy(currentPassword) } as const
  const { headers } = await callWithHeaders('POST /api/users', { body })
  return headers.get('Location') ?? '/settings/users'
}

/** Changes what the form holds; an empty password keeps the old one. @param currentPassword of who changes it */
export async function changeUser(id: number, draft: UserDraft, currentPassword?: string): Promise<void> {
  const fields = fieldsOf(draft)
  const which = Object.keys(fields) as (keyof typeof fields)[]
  const body = { what: 'user', which, data: { id, ...fields }, ...confirmedBy(currentPassword) } as const
  await call('PUT /api/users/:id', { id, body })
}

/** Whether two forms store the same. */
export const isSameUser = (one: UserDraft, other: UserDraft): boolean =>
  JSON.stringify(fieldsOf(one)) === JSON.stringify(fieldsOf(other))

const confirmedBy = (password: string | undefined) => (password === undefined ? {} : { current_password: password })

function fieldsOf({ commands, rules, ...same }: UserDraft): UserFields {
  return { ...same, username: same.username.trim(), commands: wordsOf(commands), rules: rulesOf(rules) }
}
