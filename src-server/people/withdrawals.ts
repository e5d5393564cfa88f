import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { Running } from '../state/running.ts'
import type { State } from '../state/state.ts'
import type { StoredLink } from '../state/state-data.ts'
import { isSameForPage, mayGoOn } from './rights.ts'
import type { Identity, SignIn } from './sign-in.ts'

type Begun = Pick<Identity, 'user' | 'session'>

type WithdrawalsParts = Readonly<{ state: Pick<State, 'data'>; signIn: Pick<SignIn, 'present'>; clock: Clock }>

/** What signed-in people have begun ends when their session does, and when rights with which they began it are withdrawn. */
export class Withdrawals {
  readonly #parts: WithdrawalsParts
  readonly #running: Running

  constructor(parts: WithdrawalsParts) {
    this.#parts = parts
    this.#running = new Running(parts)
  }

  /** Aborts an operation within a second of the withdrawal. @param cut closes its connection */
  watch(me: Begun, operation: Operation, cut: () => void): void {
    const confirm = this.confirmFor(me)
    this.#running.enter(operation, () => passes(confirm), cut)
  }

  /** @returns what tells whether rights that the person's page shows have changed since it was asked last */
  changesFor(me: Begun): () => boolean {
    const { state, signIn } = this.#parts
    let before = { user: me.user, globalRules: state.data.settings.rules }
    return () => {
      const { user } = signIn.present(me) ?? before
      const now = { user, globalRules: state.data.settings.rules }
      const isSame = isSameForPage(before, now)
      before = now
      return !isSame
    }
  }

  /** @returns what tells whether links that the person may manage have changed since it was asked last */
  linkChangesFor(me: Begun): () => boolean {
    const { state, signIn } = this.#parts
    const linksOf = (all: readonly StoredLink[]) => {
      const user = signIn.present(me)?.user ?? me.user
      return user.perm.admin ? all : all.filter(({ userId }) => userId === user.id)
    }
    let all = state.data.links ?? []
    let before = linksOf(all)
    return () => {
      // Most changes of the state are not of links, and there may be thousands.
      const present = state.data.links ?? []
      if (present === all) return false
      all = present
      const now = linksOf(all)
      const isSame = now.length === before.length && now.every((link, index) => link === before[index])
      before = now
      return !isSame
    }
  }

  /** @returns what throws Failure('unauthorized' | 'forbidden') once something has been withdrawn since now */
  confirmFor(me: Begun): () => void {
    const { state, signIn } = this.#parts
    const before = { user: me.user, globalRules: state.data.settings.rules }
    return () => {
      const present = signIn.present(me)
      if (!present) throw new Failure('unauthorized')
      const now = { user: present.user, globalRules: state.data.settings.rules }
      if (!mayGoOn(before, now)) throw new Failure('forbidden', 'the right to this was withdrawn')
    }
  }
}

function passes(check: () => void): boolean {
  try {
    check()
    return true
  } catch {
    return false
  }
}
