import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { OwnSettings } from '../people/own-account.ts'
import { type Api, endpoint } from './endpoint.ts'
import { done } from './error-replies.ts'
import { isProfileField, mapped, mayBeNamed, type ProfileField, profileFields, validationError } from './profile-fields.ts'

/** Registers the calls that change users. */
export function userCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'PUT /api/users/:id', async ({ account, me, params, body, reply }) => {
    if (params.id !== me.user.id) throw new Failure('forbidden', 'you may change only your own record')
    await account.change(readChange(body, me.user))
    // The token holds the old record.
    return done(reply.header('X-Renew-Token', 'true'))
  })
}

type Me = Readonly<{ id: number; perm: Readonly<{ admin: boolean }> }>

/** The fields to change with their values. @throws Failure('invalid' | 'forbidden') with a sentence that says what would be valid */
function readChange(body: unknown, { id, perm }: Me): OwnSettings {
  const { what, which, data } = body as Record<string, unknown>
  if (what !== 'user') throw new Failure('invalid', 'what must be "user"')
  if (!Array.isArray(which)) throw new Failure('invalid', `which must be a list of ${profileFields}`)
  if (!isObject(data) || data.id !== id) throw new Failure('invalid', 'data must hold the id in the address')
  if (which.length === 0 || which.includes('all')) throw wholeRecord(perm.admin)
  if (!which.every(mayBeNamed)) throw new Failure('invalid', `which may name ${profileFields}`)
  return Object.fromEntries(which.filter(isProfileField).map((field) => [field, wanted(data, field)]))
}

function wanted(data: Record<string, unknown>, field: ProfileField): unknown {
  const value = mapped(field, data[field])
  const problem = validationError(field, value)
  if (problem !== undefined) throw new Failure('invalid', problem)
  return value
}

function wholeRecord(isAdmin: boolean): Failure {
  if (isAdmin) return new Failure('invalid', `a whole record cannot be changed in one call; which may name ${profileFields}`)
  return new Failure('forbidden', 'only administrators may change a whole record')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
