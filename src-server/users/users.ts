import { isDeepStrictEqual } from 'node:util'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { isWithin } from '../base/paths.ts'
import { permissionNames } from '../contract/permissions.ts'
import type { UserFields } from '../contract/users.ts'
import type { Actor, Events, Source } from '../events/events.ts'
import type { By } from '../state/actor.ts'
import type { StoredDefaults, StoredUser } from '../state/state-data.ts'
import { checkMayChange } from '../state/user-commands.ts'
import { allOf, type OperatorView, type PersonView, type Views } from '../state/views.ts'
import type { Accounts, ChangeHow } from './accounts.ts'
import { homeOf } from './home-folder.ts'
import { checkPassword } from './password-rules.ts'
import { changesRights, type Proof } from './proof.ts'
import { checkUsername } from './user-names.ts'

/** The home folders of new users. */
export type Homes = Readonly<{
  /** Makes a folder below the served root, and those above it. */
  make(path: Path, how: { by: Actor; source: Source }): Promise<void>
}>

type UsersParts = Readonly<{
  state: Pick<Views, 'userById' | 'users'>
  accounts: Accounts
  proof: Pick<Proof, 'give' | 'check'>
  events: Events
  /** Who acts, and the session that stays when they change their own password. */
  me: PersonView | OperatorView
  source: Source
  homes: Homes
}>

/** Whether a new user is to be an administrator, or to have a permission or a command that new users do not begin with. */
function mayMore({ perm, commands = [] }: UserFields, defaults: StoredDefaults): boolean {
  const given = perm ?? defaults.perm
  const more = permissionNames.some((permission) => given[permission] && !defaults.perm[permission])
  return given.admin || more || commands.some((command) => command !== '' && !defaults.commands.includes(command))
}

/** What `Users` returns. */
export type StoredUserView = StoredUser

/** The users, as far as the person who is signed in may see and change them. */
export class Users {
  readonly #parts: UsersParts

  constructor(parts: UsersParts) {
    this.#parts = parts
  }

  /** All users, by id. @throws Failure('forbidden') for anybody but an administrator */
  async list(): Promise<StoredUser[]> {
    this.#checkAdministrator()
    return allOf((after: number | undefined) => this.#parts.state.users({ after }))
  }

  /** @throws Failure('forbidden') for the record of somebody else, Failure('notFound') */
  async read(id: number): Promise<StoredUser> {
    if (id !== this.#parts.me.user.id) this.#checkAdministrator()
    const user = await this.#parts.state.userById(id)
    if (!user) throw new Failure('notFound')
    return user
  }

  /**
   * @param currentPassword of the person who acts
   * @throws Failure('forbidden'), Failure('invalid') naming the field, Failure('conflict') when the name is taken
   */
  async create({ username = '', password = '', ...fields }: UserFields, currentPassword?: string): Promise<StoredUser> {
    this.#checkAdministrator()
    const { accounts, homes, me, source, proof } = this.#parts
    await proof.give(currentPassword)
    const { settings } = me
    const { scope, isMade, isOwn: isOwnHome } = homeOf(username, fields.scope, settings)
    const seesMore = !isWithin(scope, homeOf(username, undefined, settings).scope)
    if (seesMore || mayMore(fields, settings.defaults)) proof.check()
    const by = actorIn(me)
    const prepare = async () => isMade && homes.make(scope, { by, source })
    const user = { ...fields, username, password, scope }
    return this.#around({ act: 'create', user: username }, () => accounts.create(user, { isOwnHome, prepare, ...this.#by }))
  }

  /**
   * Adds a user as it was exported, with the hash of the password and without a home folder.
   * @throws Failure('forbidden'), Failure('conflict') when the name is taken
   */
  async bring(user: UserFields & { username: string }, passwordHash: string): Promise<StoredUser> {
    const { accounts, proof } = this.#parts
    this.#checkAdministrator()
    proof.check()
    return this.#around({ act: 'create', user: user.username }, () => accounts.bring(user, passwordHash, this.#by.by))
  }

  /**
   * Changes the given fields. A new password ends the sessions of the user; of one's own, all others.
   * @throws Failure('forbidden'), Failure('notFound'), Failure('invalid') naming the field, Failure('conflict') when the name is taken
   */
  async change(
    id: number,
    { password, ...fields }: UserFields,
    { currentPassword, formerRules }: Readonly<{ currentPassword?: string | undefined } & Pick<ChangeHow, 'formerRules'>> = {},
  ): Promise<void> {
    const { accounts, me, proof } = this.#parts
    const names = [...Object.keys(fields), ...(password ? ['password'] : [])]
    checkMayChange(me.user, id, names)
    const before = await this.read(id)
    const { username } = before
    // One of before may be as none is made any more: a whole record still holds it.
    if (fields.username !== undefined && fields.username !== before.username) checkUsername(fields.username)
    if (password) checkPassword(password)
    await proof.give(currentPassword)
    if (changesRights(before, { ...fields, ...(password && { password }) })) proof.check()
    // Forms send all their fields; the event names those whose values differ.
    const isOther = (name: string) => !isDeepStrictEqual(fields[name as keyof typeof fields], before[name as keyof StoredUser])
    const changed = names.filter((name) => name === 'password' || isOther(name))
    await this.#around({ act: 'change', user: username, fields: changed }, async () => {
      if (names.length === 0) return
      const keep = me.session && id === me.user.id ? { keep: me.session.id } : {}
      await accounts.change(
        id,
        { ...fields, ...(password && { password }) },
        {
          ...{ ...keep, ...this.#by, formerRules },
        },
      )
    })
  }

  /** Removes a user; the files stay. @throws Failure('forbidden') for oneself and for the last administrator, Failure('notFound') */
  async remove(id: number): Promise<void> {
    const { accounts, me } = this.#parts
    if (id === me.user.id) throw new Failure('forbidden', 'nobody deletes themselves')
    const { username } = await this.read(id)
    await this.#around({ act: 'delete', user: username }, () => accounts.remove(id, this.#by.by))
  }

  /** Rights are asked again when the change is stored: they may be withdrawn while a password is hashed. */
  get #by(): { by?: By } {
    const { user, session } = this.#parts.me
    return session ? { by: { userId: user.id, sessionId: session.id } } : {}
  }

  #checkAdministrator() {
    if (!this.#parts.me.user.perm.admin) throw new Failure('forbidden')
  }

  #around<T>(what: { act: 'create' | 'change' | 'delete'; user: string; fields?: readonly string[] }, work: () => Promise<T>) {
    const { events, me, source } = this.#parts
    return events.around({ kind: 'user', ...what, by: actorIn(me), ...source }, work)
  }
}

/** Who acts, for events. The command line has no id. */
export const actorIn = ({ user, session }: PersonView | OperatorView): Actor => ({
  ...(session && { id: user.id }),
  name: user.username,
})
