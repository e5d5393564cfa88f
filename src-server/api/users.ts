import type { FastifyInstance } from 'fastify'
import { shownRule } from '../access/rules.ts'
import { Failure, refusedField } from '../base/failure.ts'
import type { User, UserFields } from '../contract/users.ts'
import type { StoredUserView } from '../users/users.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { isProfileField, mayBeNamed, profileFields } from './profile-fields.ts'
import { currentPasswordIn, isUserField, printable, readAll, readFields } from './user-fields.ts'

/** Registers the calls about users. */
export function userCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/users', async ({ users }) => (await users.list()).map(shown))
  endpoint(app, api, 'GET /api/users/:id', async ({ users, me, params }) => {
    const user = shown(await users.read(params.id))
    return me.user.perm.admin ? user : { ...user, scope: '' }
  })
  endpoint(app, api, 'POST /api/users', async ({ users, body, reply }) => {
    const { id } = await users.create(readNew(body), currentPasswordIn(body))
    return reply.code(201).header('Location', `/settings/users/${id}`).type('text/plain; charset=utf-8').send('201 Created\n')
  })
  endpoint(app, api, 'PUT /api/users/:id', async (call) => {
    const { me, params, body, reply } = call
    if (params.id !== me.user.id && !me.user.perm.admin) throw new Failure('forbidden', 'you may change only your own record')
    const fields = readChange(body, params.id, me.user.perm.admin)
    const currentPassword = currentPasswordIn(body)
    const isOwn = params.id === me.user.id && currentPassword === undefined
    const isProfile = isOwn && Object.keys(fields).every(isProfileField)
    await (isProfile ? call.account.change(fields) : call.users.change(params.id, fields, { currentPassword }))
    // The token holds the old record.
    if (params.id === me.user.id) reply.header('X-Renew-Token', 'true')
    return done(reply)
  })
  endpoint(app, api, 'DELETE /api/users/:id', async ({ users, params, reply }) => {
    await users.remove(params.id)
    return done(reply)
  })
}

/** The record without the password. */
/** Each field by its name: what the record gets some day is nobody's to see before it is named here. */
function shown({ id, username, scope, locale, lockPassword, viewMode, sorting, perm, commands, rules }: StoredUserView): User {
  return {
    ...{ id, username, password: '', scope, locale, lockPassword, viewMode, sorting, perm },
    ...{ commands: [...commands], rules: rules.map(shownRule) },
  }
}

function readNew(body: unknown): UserFields {
  const { what, which = [], data } = body as Record<string, unknown>
  if (what !== 'user') throw refusedField('what', 'must be "user"')
  if (!Array.isArray(which) || which.length > 0) throw refusedField('which', 'must be an empty list')
  if (!isObject(data)) throw refusedField('data', 'must hold the fields of the user')
  const fields = readAll(data)
  if (!fields.username) throw refusedField('username', 'must not be empty')
  if (!fields.password) throw refusedField('password', 'must not be empty')
  return fields
}

/** The fields to change with their values. @throws Failure('invalid' | 'forbidden') with a sentence that says what would be valid */
function readChange(body: unknown, id: number, isAdmin: boolean): UserFields {
  const { what, which, data } = body as Record<string, unknown>
  if (what !== 'user') throw refusedField('what', 'must be "user"')
  if (!Array.isArray(which)) throw refusedField('which', `must be a list of ${profileFields}`)
  if (!isObject(data) || data.id !== id) throw refusedField('data', 'must hold the id in the address')
  return namedFields(which, data, isAdmin)
}

function namedFields(which: readonly unknown[], data: Record<string, unknown>, isAdmin: boolean): UserFields {
  if (which.length === 0 || which.includes('all')) {
    if (!isAdmin) throw new Failure('forbidden', 'only administrators may change a whole record')
    return readAll(data)
  }
  const allowed = isAdmin ? isUserField : (name: unknown) => isProfileField(name) || name === 'password'
  const refused = which.find((name) => !allowed(name) && !mayBeNamed(name))
  if (refused !== undefined) {
    throw refusedField('which', `may name ${profileFields}, and password, but not {{name}}`, { name: printable(refused) })
  }
  return readFields(data, which.filter(isUserField).filter(allowed))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
