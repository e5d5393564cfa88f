import { noPermissions, type Permissions } from '../access/permissions.ts'
import { shownRule } from '../access/rules.ts'
import { readAll } from '../api/user-fields.ts'
import { bcryptCost } from '../base/bcrypt-text.ts'
import { Failure } from '../base/failure.ts'
import type { Permission } from '../contract/permissions.ts'
import type { User } from '../contract/users.ts'
import type { StoredUser } from '../state/state-data.ts'
import { randomPassword } from '../users/first-administrator.ts'
import { parseHash } from '../users/phc.ts'
import { CallRefusal } from './call-refusal.ts'
import { type OperatorServices, userCalled } from './operator-services.ts'

type Fields = Readonly<Record<string, unknown>>

/** `only`: these and no others; `more` and `less` count from those that are there. */
type PermissionChange = Readonly<{ only?: readonly Permission[]; more: readonly Permission[]; less: readonly Permission[] }>

/** A user without the password. */
export type ShownUser = Omit<User, 'password'> & Readonly<{ hasPassword: boolean }>

export const userCalls = {
  /** By id. */
  'users.list': async (services: OperatorServices, _input: object): Promise<ShownUser[]> =>
    (await (await services.users()).list()).map(shown),

  'users.add': async (services: OperatorServices, input: { fields: Fields; perm?: PermissionChange }): Promise<ShownUser> => {
    const { defaults } = await services.state.settings()
    const fields = readAll({ ...input.fields, ...(input.perm && { perm: permissionsWith(defaults.perm, input.perm) }) })
    return shown(await (await services.users()).create(fields))
  },

  'users.update': async (
    services: OperatorServices,
    { user, fields, perm }: { user: string; fields: Fields; perm?: PermissionChange },
  ): Promise<ShownUser> => {
    const before = await userCalled(services.state, user)
    const change = readAll({ ...fields, ...(perm && { perm: permissionsWith(before.perm, perm) }) })
    await (await services.users()).change(before.id, change)
    return shown(await userCalled(services.state, String(change.username ?? before.username)))
  },

  'users.remove': async (services: OperatorServices, { user }: { user: string }): Promise<{ username: string }> => {
    const { id, username } = await userCalled(services.state, user)
    await (await services.users()).remove(id)
    return { username }
  },

  /** Sets a password, which ends the sessions of the user. Without one a random one, which is answered or kept in a file. */
  'users.passwd': async (
    services: OperatorServices,
    { user, password, keeps = false }: { user: string; password?: string; keeps?: boolean },
  ): Promise<{ username: string; password?: string; file?: string }> => {
    const { id, username } = await userCalled(services.state, user)
    const set = password ?? randomPassword()
    await (await services.users()).change(id, { password: set })
    if (password !== undefined) return { username }
    if (!keeps) return { username, password: set }
    const file = services.state.passwordFileOf(id)
    await file.keep(set)
    return { username, file: file.path }
  },

  /** With the hashes of the passwords. */
  'users.export': async (services: OperatorServices, _input: object): Promise<object[]> => {
    const users = await (await services.users()).list()
    return users.map((user) => {
      const { id: _, hasPassword: __, ...fields } = shown(user)
      return { ...fields, passwordHash: user.password }
    })
  },

  /** Adds those that are not there; each that does not come is named with the reason. */
  'users.import': async (
    services: OperatorServices,
    { users }: { users: unknown },
  ): Promise<{ added: string[]; left: { username: string; reason: string }[] }> => {
    const [added, left]: [string[], { username: string; reason: string }[]] = [[], []]
    const service = await services.users()
    // All are read before one is added.
    for (const { fields, username, passwordHash } of exportedUsers(users)) {
      try {
        await service.bring({ ...fields, username }, passwordHash)
        added.push(username)
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'conflict') throw error
        left.push({ username, reason: error.message })
      }
    }
    return { added, left }
  },
}

function exportedUsers(users: unknown) {
  if (!Array.isArray(users)) throw new CallRefusal('the file must hold the list that users export writes')
  return users.map((user: unknown, index) => {
    const { passwordHash, ...data } = Object(user) as Fields
    const isHash = (text: unknown): text is string =>
      typeof text === 'string' && (text === '' || parseHash(text) !== undefined || bcryptCost(text) !== undefined)
    if ('password' in data || !isHash(passwordHash))
      throw new CallRefusal(
        `user ${index} of the file has no passwordHash as users export writes it (exports of File Browser are for holdall import)`,
      )
    const fields = readAll(withoutProblems(data))
    if (!fields.username) throw new CallRefusal(`user ${index} of the file has no username`)
    return { fields, username: fields.username, passwordHash }
  })
}

/** What is said of a rule that cannot be applied is no part of it. */
function withoutProblems(data: Fields): Fields {
  const { rules } = data
  return Array.isArray(rules) ? { ...data, rules: rules.map(({ problem: _, ...rule }) => rule) } : data
}

function permissionsWith(before: Permissions, { only, more, less }: PermissionChange): Permissions {
  const named = (names: readonly Permission[], value: boolean) => Object.fromEntries(names.map((name) => [name, value]))
  return { ...(only ? { ...noPermissions, ...named(only, true) } : before), ...named(more, true), ...named(less, false) }
}

/** Each field by its name: what the record gets some day is not shown before it is named here. */
export function shown({
  id,
  username,
  password,
  scope,
  locale,
  lockPassword,
  viewMode,
  sorting,
  ...user
}: StoredUser): ShownUser {
  return {
    ...{ id, username, hasPassword: password !== '', scope, locale, lockPassword, viewMode, sorting, perm: user.perm },
    ...{ commands: [...user.commands], rules: user.rules.map(shownRule) },
  }
}
