// Reads the bodies of the calls that change users.
import { Failure } from '../base/failure.ts'
import type { OwnSettings } from '../people/own-account.ts'
import { readFields, refuseUnknown, type UserFields } from '../people/user-fields.ts'
import { isProfileField, mapped, mayBeNamed, type ProfileField, profileFields, validationError } from './profile-fields.ts'

type Data = Readonly<Record<string, unknown>>

/** The record of a new user. @throws Failure('invalid') naming the field */
export function readNewUser(body: object): UserFields {
  const { which, data } = parts(body)
  if (which !== undefined && (!Array.isArray(which) || which.length > 0)) {
    throw new Failure('invalid', 'which must be empty for a new user')
  }
  for (const name of ['username', 'password']) {
    if (typeof data[name] !== 'string' || data[name] === '') throw new Failure('invalid', `${name} is missing`)
  }
  return readFields(mappedIn(data), Object.keys(data))
}

/** What an administrator changes: the named fields, or all that `data` has. An empty password of a whole record stays. */
export function readUserChange(body: object, id: number): UserFields {
  const { which, data } = partsOfChange(body, id)
  const isWhole = which.length === 0 || which.includes('all')
  refuseUnknown(which.filter((name) => name !== 'all'))
  const names = isWhole ? Object.keys(data).filter((name) => name !== 'password' || data.password !== '') : (which as string[])
  return readFields(mappedIn(data), names)
}

/** What users change of themselves. @throws Failure('invalid' | 'forbidden') with a sentence that says what would be valid */
export function readOwnChange(body: object, id: number): OwnSettings {
  const { which, data } = partsOfChange(body, id)
  if (which.length === 0 || which.includes('all')) {
    throw new Failure('forbidden', 'only administrators may change a whole record')
  }
  if (!which.every((name) => name === 'password' || mayBeNamed(name))) {
    throw new Failure('invalid', `which may name password, ${profileFields}`)
  }
  refuseUnknown(which)
  const wanted = which.filter(isProfileField).map((field) => [field, valid(data, field)] as const)
  const { sorting, ...settings } = Object.fromEntries(wanted) as OwnSettings
  return {
    ...settings,
    ...(sorting && { sorting: { by: sorting.by, asc: sorting.asc } }),
    ...(which.includes('password') && readFields(data, ['password'])),
  }
}

function parts(body: object) {
  const { what, which, data } = body as Data
  if (what !== 'user') throw new Failure('invalid', 'what must be "user"')
  if (!isObject(data)) throw new Failure('invalid', 'data must hold a user')
  return { which, data }
}

function partsOfChange(body: object, id: number): { which: readonly unknown[]; data: Data } {
  const { what, which, data } = body as Data
  if (what !== 'user') throw new Failure('invalid', 'what must be "user"')
  if (!Array.isArray(which)) throw new Failure('invalid', `which must be a list of password, ${profileFields}`)
  if (!isObject(data) || data.id !== id) throw new Failure('invalid', 'data must hold the id in the address')
  return { which, data }
}

/** Values of other servers of this API are mapped. */
function mappedIn(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, isProfileField(name) ? mapped(name, value) : value]),
  )
}

function valid(data: Data, field: ProfileField): unknown {
  const value = mapped(field, data[field])
  const problem = validationError(field, value)
  if (problem !== undefined) throw new Failure('invalid', problem)
  return value
}

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)
