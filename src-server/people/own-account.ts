import { Failure } from '../base/failure.ts'
import type { Session, User } from '../contract/users.ts'
import type { Events, Source } from '../events/events.ts'
import type { Accounts } from './accounts.ts'
import { checkPassword } from './password-rules.ts'
import type { Sessions } from './sessions.ts'
import type { Identity } from './sign-in.ts'
import { sentUser } from './user.ts'
import type { UserFields } from './user-fields.ts'

/** The settings that users change for themselves. */
export type OwnSettings = Pick<UserFields, 'sorting' | 'viewMode' | 'locale' | 'password'>

type OwnAccountParts = Readonly<{
  accounts: Pick<Accounts, 'replace'>
  sessions: Sessions
  events: Events
  me: Pick<Identity, 'user' | 'session'>
  source: Source
}>

/** The record of the user who is signed in. */
export class OwnAccount {
  readonly #parts: OwnAccountParts

  constructor(parts: OwnAccountParts) {
    this.#parts = parts
  }

  /** The user's record. The scope is left out: it names folders above what the user sees. */
  read(): User {
    return { ...sentUser(this.#parts.me.user), scope: '' }
  }

  /**
   * Changes the given settings. Another password ends all other sessions.
   * @throws Failure('notFound') when the user was removed, Failure('forbidden') when the password is locked, Failure('invalid')
   */
  async change(settings: OwnSettings): Promise<void> {
    const { accounts, me } = this.#parts
    if (settings.password !== undefined) {
      if (me.user.lockPassword) throw new Failure('forbidden', 'your password is locked')
      checkPassword(settings.password)
    }
    await this.#announce(Object.keys(settings), () => accounts.replace(me.user.id, settings, me.session.id))
  }

  /** The sessions, the last used first. */
  sessions(): Session[] {
    const { sessions, me } = this.#parts
    return sessions.of(me.user.id).map(({ id, address = '', userAgent = '', createdAt, usedAt }) => {
      return { id, address, userAgent, createdAt, usedAt, current: id === me.session.id }
    })
  }

  /** Ends one session. @throws Failure('notFound') when it is not this user's */
  endSession(id: string): Promise<void> {
    const { sessions, me } = this.#parts
    return this.#announce(['sessions'], () => sessions.endOf(me.user.id, id))
  }

  /** Ends all sessions except this one. */
  endOtherSessions(): Promise<void> {
    const { sessions, me } = this.#parts
    return this.#announce(['sessions'], () => sessions.endOthers(me.user.id, me.session.id))
  }

  #announce(fields: readonly string[], work: () => Promise<void>): Promise<void> {
    const { events, me, source } = this.#parts
    const by = { id: me.user.id, name: me.user.username }
    return events.around({ kind: 'settings', fields, by, ...source }, work)
  }
}
