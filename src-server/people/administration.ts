import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import { mostOf, type User } from '../contract/users.ts'
import type { Actor, Events, Source } from '../events/events.ts'
import type { StoredDefaults, StoredUser } from '../state/state-data.ts'
import type { Accounts } from './accounts.ts'
import { homeOf } from './home-folder.ts'
import { sentUser } from './user.ts'
import type { UserFields } from './user-fields.ts'

/** Who changes users, and from where. `keep` is the session of the caller, which a new password does not end. */
export type Changing = Readonly<{ by: Actor; source: Source; keep?: string }>

/** The settings that new users depend on. */
export type NewUserSettings = Readonly<{ createUserDir: boolean; userHomeBasePath: string; defaults: StoredDefaults }>

type AdministrationParts = Readonly<{
  accounts: Accounts
  events: Events
  settings(): NewUserSettings
  /** Makes a folder below the served root, and those above it. */
  makeHome(path: Path, how: Changing): Promise<void>
}>

/** The users, for administrators, and for users about themselves. */
export class Administration {
  readonly #parts: AdministrationParts

  constructor(parts: AdministrationParts) {
    this.#parts = parts
  }

  /** All users by id. */
  list(): User[] {
    return this.#parts.accounts
      .all()
      .toSorted((one, other) => one.id - other.id)
      .map(sentUser)
  }

  /** @throws Failure('notFound') */
  get(id: number): User {
    const user = this.#parts.accounts.byId(id)
    if (user === undefined) throw new Failure('notFound')
    return sentUser(user)
  }

  /**
   * Adds a user, with a home folder when the settings say so.
   * @throws Failure('conflict') when the name is taken, or the home folder is another user's
   */
  async create(fields: UserFields, how: Changing): Promise<StoredUser> {
    const { accounts, events, settings, makeHome } = this.#parts
    const { defaults, ...rest } = settings()
    const { username = '', password = '' } = fields
    const home = homeOf(username, fields.scope, { ...rest, defaultScope: defaults.scope })
    const user = { ...defaults, ...fields, username, password, scope: home.scope }
    if (accounts.all().length >= mostOf.users) throw new Failure('invalid', `a server has at most ${mostOf.users} users`)
    return events.around({ kind: 'settings', fields: ['username'], by: how.by, ...how.source }, () =>
      accounts.create(user, { isOwnHome: home.isOwn, prepare: async () => home.isMade && makeHome(home.scope, how) }),
    )
  }

  /** Changes the fields that are given. @throws Failure('notFound' | 'conflict' | 'forbidden') */
  change(id: number, fields: UserFields, { by, source, keep }: Changing): Promise<void> {
    const { accounts, events } = this.#parts
    const event = { kind: 'settings', fields: Object.keys(fields), by, ...source } as const
    return events.around(event, () => accounts.replace(id, fields, keep))
  }

  /** Removes a user; the files stay. @throws Failure('notFound' | 'forbidden') for oneself and the last administrator */
  remove(id: number, { by, source }: Changing): Promise<void> {
    const { accounts, events } = this.#parts
    if (id === by.id) throw new Failure('forbidden', 'nobody may delete themselves')
    return events.around({ kind: 'settings', fields: ['id'], by, ...source }, () => accounts.remove(id))
  }
}
