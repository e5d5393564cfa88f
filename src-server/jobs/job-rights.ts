// What the person of a job may do while it goes on: asked for each entry, and ended with the access with which the job was begun.
import { Failure } from '../base/failure.ts'
import { Operation } from '../base/operation.ts'
import type { JobHead } from '../state/job-store.ts'
import type { AccountView } from '../state/views.ts'
import { type AccessRevocation, withdrawn } from '../users/access-revocation.ts'
import { mayGoOn, rightsOf } from '../users/rights.ts'

export class JobRights {
  readonly #revocation: Pick<AccessRevocation, 'holdPerson'>
  /** Ends with the job; aborted when its person loses the access. */
  readonly #life = new Operation()
  /** What works on entries, with the rights of its beginning. */
  readonly #active = new Map<Operation, AccountView>()
  #isHeld = false
  #viewNow: () => AccountView = () => {
    throw new Failure('unauthorized')
  }

  constructor(revocation: Pick<AccessRevocation, 'holdPerson'>) {
    this.#revocation = revocation
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Aborted when the person has lost the access. */
  get signal(): AbortSignal {
    return this.#life.signal
  }

  get areWithdrawn(): boolean {
    return this.#life.signal.reason === withdrawn
  }

  /** Follows them. @param onLost called when the person has lost the access; also at once @throws then */
  async hold({ userId, epoch, scope }: Pick<JobHead, 'userId' | 'epoch' | 'scope'>, onLost: () => void): Promise<void> {
    this.#life.signal.addEventListener('abort', onLost, { once: true })
    try {
      this.#viewNow = await this.#revocation.holdPerson({ userId, epoch, scope }, this.#life, () => this.#check())
      this.#isHeld = true
    } catch (error) {
      this.#life.abort(withdrawn)
      throw error
    }
  }

  /** The person as of this moment, for work on an entry, which is ended when a right is withdrawn with which it was begun. */
  viewFor(operation: Operation): AccountView {
    const view = this.#viewNow()
    this.#active.set(operation, view)
    operation.own({ close: () => void this.#active.delete(operation) })
    return view
  }

  end(): Promise<void> {
    return this.#life.end()
  }

  /** Work that was begun with rights that are left goes on. */
  #check() {
    for (const [operation, begun] of this.#active) {
      if (!mayGoOn(rightsOf(begun), rightsOf(this.#viewNow()))) operation.abort(withdrawn)
    }
  }
}
