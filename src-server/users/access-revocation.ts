// What was begun ends when the access with which it was begun is revoked: a session, a right, a rule, a scope, a link.
import type { Clock } from '../base/clock.ts'
import type { Ends } from '../base/ends.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { News, Subject } from '../state/feed.ts'
import { mayManage } from '../state/link-commands.ts'
import { endOf } from '../state/session-commands.ts'
import type { State } from '../state/state.ts'
import type { StoredLink, StoredRequest, StoredSession, StoredSettings, StoredUser } from '../state/state-data.ts'
import type { AccountView, LinkView, PersonView, RequestView } from '../state/views.ts'
import { isSameForPage, mayGoOn, rightsOf } from './rights.ts'

/** The abort reason when the right to something is withdrawn while it is running. */
export const withdrawn = new Error('the right to this was withdrawn')

/** What an open page is told: rights that it shows, or links that the person may manage or takes files in by, have changed; the session has ended. */
export type AccountNews = 'account' | 'links' | 'requests' | 'ended'

export type HoldHow = Readonly<{
  /** Closes the connection. */
  cut(): void
  /** Milliseconds after which it is cut: a request that withdraws its own rights is answered. */
  grace?: number
  /** Whether the end of the session by time ends it too. A transfer goes on, because nobody has withdrawn anything. */
  endsInTime?: boolean
}>

/** The access with which something was begun. */
export type Grant = Readonly<{
  /** @throws Failure('unauthorized' | 'forbidden') once it was revoked */
  check(): void
}>

/** The access of a person with which work was begun that goes on without a session. It can be stored. */
export type BegunAccess = Readonly<{ userId: number; epoch: number; scope: string }>

/** That of this moment. */
export function accessOf({ id, accessEpoch = 0, scope }: StoredUser): BegunAccess {
  return { userId: id, epoch: accessEpoch, scope }
}

/** What was read, and the access that it gives. */
export type Granted<V> = Readonly<{ view: V; grant: Grant }>

type RevocationParts = Readonly<{ state: Pick<State, 'feed' | 'session' | 'account'>; clock: Clock; ends: Ends }>

export class AccessRevocation {
  readonly #parts: RevocationParts

  constructor(parts: RevocationParts) {
    this.#parts = parts
  }

  /**
   * Ends an operation of a signed-in person as soon as rights of its beginning are withdrawn.
   * @param read finds out who the person is; what is withdrawn meanwhile is noticed
   * @throws what `read` throws, Failure('unauthorized' | 'forbidden') for what was withdrawn meanwhile
   */
  hold<V extends PersonView>(read: () => Promise<V>, operation: Operation, how: HoldHow): Promise<Granted<V>> {
    return this.#noticing(read, (view, missed) => {
      let now = this.#present(view, missed)
      const refusal = refusalOf(view, now)
      if (refusal) throw refusal
      const grant = this.#grant(operation, how)
      this.#listen([`session:${view.session.id}`, `user:${view.user.id}`, 'settings'], operation, (news) => {
        const before = now
        now = this.#present(before, news)
        const failure = refusalOf(view, now)
        if (failure) grant.revoke(failure)
        else if (how.endsInTime && now.session !== before.session) this.#endInTime(grant, now.session)
      })
      if (how.endsInTime) this.#endInTime(grant, now.session)
      operation.own({ close: () => this.#parts.ends.delete(grant) })
      return { view, grant }
    })
  }

  /**
   * Ends an operation that goes on without a session, as soon as its person is deleted, gets another scope or password, or signs out
   * everywhere. What else is withdrawn does not end it: the view of the moment refuses what is no longer allowed.
   * @param begun the access with which it was begun, perhaps before a restart
   * @param onChange called when the view has changed otherwise
   * @returns gives the view of the moment, which throws Failure('unauthorized') once the operation has ended so
   * @throws Failure('unauthorized') when it has lost its access already
   */
  holdPerson(begun: BegunAccess, operation: Operation, onChange = () => {}): Promise<() => AccountView> {
    return this.#noticing(
      () => this.#parts.state.account(begun.userId),
      (view, missed) => {
        let now = view && presentAccount(view, begun.userId, missed)
        const check = () => {
          if (now && isSameAccess(begun, now.user)) return now
          throw new Failure('unauthorized', 'the access with which this was begun has ended')
        }
        check()
        this.#listen([`user:${begun.userId}`, 'settings'], operation, (news) => {
          now = now && presentAccount(now, begun.userId, news)
          if (!now || !isSameAccess(begun, now.user)) operation.abort(withdrawn)
          else onChange()
        })
        return check
      },
    )
  }

  /**
   * Ends an operation of a visitor as soon as it is no longer allowed. A link that expires stays as it was.
   * @param read finds the link; what is withdrawn meanwhile is noticed
   * @throws what `read` throws, Failure('notFound') for what was withdrawn meanwhile
   */
  holdLink<V extends LinkView>(read: () => Promise<V>, operation: Operation, { isAllowed, cut }: LinkHold): Promise<Granted<V>> {
    return this.#noticing(read, (view, missed) => {
      let now: PresentLink = view
      const isGone = (news: readonly News[]) => {
        if (news.length === 0) return false
        now = this.#presentLink(now, news)
        const { link, owner, settings } = now
        return link === undefined || owner === undefined || !isAllowed({ link, owner, settings }, view)
      }
      if (isGone(missed)) throw new Failure('notFound')
      const grant = this.#grant(operation, { cut })
      this.#listen([`link:${view.link.hash}`, `user:${view.owner.id}`, 'settings'], operation, (news) => {
        if (isGone(news)) grant.revoke(new Failure('notFound'))
      })
      return { view, grant }
    })
  }

  /**
   * Ends an operation of somebody who sends files by a request link as soon as it is no longer allowed.
   * @param read finds the link; what is withdrawn meanwhile is noticed
   * @throws what `read` throws, and what `refusalOf` gives for what was withdrawn meanwhile
   */
  holdRequest<V extends RequestView>(
    read: () => Promise<V>,
    operation: Operation,
    { refusalOf, cut, closingGrace = 0 }: RequestHold<NoInfer<V>>,
  ): Promise<Granted<V>> {
    return this.#noticing(read, (view, missed) => {
      let now: PresentRequest = view
      const refusal = (news: readonly News[]) => {
        if (news.length === 0) return undefined
        now = presentRequest(now, news)
        const { request, owner, settings } = now
        return request && owner ? refusalOf({ request, owner, settings }, view) : new Failure('notFound')
      }
      const before = refusal(missed)
      if (before) throw before
      const grant = this.#grant(operation, { cut })
      this.#listen([`request:${view.request.hash}`, `user:${view.owner.id}`, 'settings'], operation, (news) => {
        const failure = refusal(news)
        if (failure) grant.revoke(failure, failure.code === 'gone' ? closingGrace : 0)
      })
      return { view, grant }
    })
  }

  /**
   * Tells a page of what concerns it until the operation ends, and first of what has changed since a view was read.
   * @param view as it was read when the page came
   * @returns gives the view of the moment, without a look at the state; undefined when the session has ended
   */
  follow(view: PersonView, operation: Operation, tell: (news: AccountNews) => void): Promise<() => PersonView | undefined> {
    const { session, user } = view
    const setEnd = (present: StoredSession) => this.#parts.ends.set(tell, endOf(present) * 1000, () => tell('ended'))
    const read = async () => (await this.#parts.state.session(session.id)) ?? { settings: view.settings }
    return this.#noticing(read, (present: PresentView, missed) => {
      let now: PresentView = view
      const hear = (next: PresentView, news: readonly News[]) => {
        const before = now
        now = next
        if (now.session === undefined || now.user === undefined) return tell('ended')
        if (now.session !== before.session) setEnd(now.session)
        if (!isSameForPage(rightsOf(before), rightsOf(now))) tell('account')
        const links = news.flatMap((one) => (one.kind === 'link' ? (one.after ?? one.before ?? []) : []))
        if (links.some((link) => mayManage(now.user, link))) tell('links')
        if (news.some((one) => one.kind === 'request' && (one.after ?? one.before)?.userId === user.id)) tell('requests')
        if (news.some((one) => one.kind === 'arrivals' && one.userId === user.id)) tell('requests')
      }
      this.#listen([`session:${session.id}`, `user:${user.id}`, 'settings', 'link', 'request', 'arrivals'], operation, (news) =>
        hear(this.#present(now, news), news),
      )
      operation.own({ close: () => this.#parts.ends.delete(tell) })
      setEnd(session)
      hear(this.#present(present, missed), missed)
      return () => {
        const { session, user, settings } = now
        return session && user && !this.#hasPassed(endOf(session)) ? { session, user, settings } : undefined
      }
    })
  }

  /** What is told while something is read would be missed by whoever listens only afterwards. */
  async #noticing<V, T>(read: () => Promise<V>, begin: (view: V, missed: readonly News[]) => T): Promise<T> {
    const missed = this.#parts.state.feed.gather()
    try {
      const view = await read()
      return begin(view, missed())
    } finally {
      missed()
    }
  }

  #grant(operation: Operation, { cut, grace: usual = 0 }: HoldHow): Grant & { revoke(failure: Failure, grace?: number): void } {
    let refusal: Failure | undefined
    const end = () => {
      operation.abort(withdrawn)
      cut()
    }
    return {
      check: () => {
        if (refusal) throw refusal
      },
      revoke: (failure, grace = usual) => {
        if (refusal) return
        refusal = failure
        if (grace === 0) end()
        else operation.own({ close: this.#parts.clock.after(grace, end) })
      },
    }
  }

  #listen(subjects: readonly Subject[], operation: Operation, listener: (news: readonly News[]) => void) {
    operation.own({ close: this.#parts.state.feed.listen(subjects, listener) })
  }

  #endInTime(grant: Grant & { revoke(failure: Failure): void }, session: StoredSession | undefined) {
    if (session) this.#parts.ends.set(grant, endOf(session) * 1000, () => grant.revoke(new Failure('unauthorized')))
  }

  /** Sessions and links that are removed because they have expired stay in the view: nobody has withdrawn them. */
  #present(view: PresentView, news: readonly News[]): PresentView {
    if (news.length === 0) return view
    let { session, user, settings } = view
    for (const one of news) {
      if (one.kind === 'session' && session && one.id === session.id)
        session = one.after ?? (this.#hasPassed(endOf(session)) ? session : undefined)
      if (one.kind === 'user' && user && one.id === String(user.id)) {
        // It ends all sessions but one that has not expired. Those that have may be removed already.
        const isSignedOut = one.after?.password !== user.password || one.after?.accessEpoch !== user.accessEpoch
        if (session && isSignedOut && this.#hasPassed(endOf(session))) session = undefined
        user = one.after
      }
      if (one.kind === 'settings' && one.after) settings = one.after
    }
    return { session, user, settings }
  }

  #presentLink(view: PresentLink, news: readonly News[]): PresentLink {
    let { link, owner, settings } = view
    for (const one of news) {
      if (one.kind === 'link' && one.id === link?.hash)
        link = one.after ?? (link.expire !== 0 && this.#hasPassed(link.expire) ? link : undefined)
      if (one.kind === 'user' && one.id === String(owner?.id)) owner = one.after
      if (one.kind === 'settings' && one.after) settings = one.after
    }
    return { link, owner, settings }
  }

  /** @param seconds since the epoch */
  #hasPassed(seconds: number) {
    return seconds <= this.#parts.clock.now() / 1000
  }
}

/** `isAllowed`: asked when the link, its owner or the settings have changed. */
export type LinkHold = Readonly<{ isAllowed(now: LinkView, before: LinkView): boolean; cut(): void }>

/** `refusalOf`: asked when the link, its owner or the settings have changed. */
export type RequestHold<V extends RequestView> = Readonly<{
  refusalOf(now: RequestView, before: V): Failure | undefined
  cut(): void
  /** Milliseconds after which it is cut when the link is closed: whoever sends a form is told what has arrived. */
  closingGrace?: number | undefined
}>

type PresentView = Readonly<{ session?: StoredSession | undefined; user?: StoredUser | undefined; settings: StoredSettings }>

type PresentLink = Readonly<{ link?: StoredLink | undefined; owner?: StoredUser | undefined; settings: StoredSettings }>

type PresentRequest = Readonly<{
  request?: StoredRequest | undefined
  owner?: StoredUser | undefined
  settings: StoredSettings
}>

/** One that has ended by time stays in the state. */
function presentRequest(view: PresentRequest, news: readonly News[]): PresentRequest {
  let { request, owner, settings } = view
  for (const one of news) {
    if (one.kind === 'request' && one.id === request?.hash) request = one.after
    if (one.kind === 'user' && one.id === String(owner?.id)) owner = one.after
    if (one.kind === 'settings' && one.after) settings = one.after
  }
  return { request, owner, settings }
}

function isSameAccess(begun: BegunAccess, user: StoredUser): boolean {
  const { epoch, scope } = accessOf(user)
  return epoch === begun.epoch && scope === begun.scope
}

/** @returns undefined when the person is deleted */
function presentAccount(view: AccountView, userId: number, news: readonly News[]): AccountView | undefined {
  let { user, settings }: Partial<AccountView> & Pick<AccountView, 'settings'> = view
  for (const one of news) {
    if (one.kind === 'user' && one.id === String(userId)) user = one.after
    if (one.kind === 'settings' && one.after) settings = one.after
  }
  return user && { user, settings }
}

function refusalOf(view: PersonView, now: PresentView): Failure | undefined {
  if (now.session === undefined || now.user === undefined) return new Failure('unauthorized')
  return mayGoOn(rightsOf(view), rightsOf(now)) ? undefined : new Failure('forbidden', 'the right to this was withdrawn')
}
