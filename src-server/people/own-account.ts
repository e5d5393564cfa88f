import type { StoredUser } from '../state/state-data.ts'
import type { Accounts } from './accounts.ts'

/** What people set for themselves: how their listings look, and in which language. */
export type OwnSettings = Partial<Pick<StoredUser, 'sorting' | 'viewMode' | 'locale'>>

/** The door to one's own record. */
export class OwnAccount {
  readonly #accounts: Pick<Accounts, 'change'>
  readonly #id: number

  constructor(accounts: Pick<Accounts, 'change'>, id: number) {
    this.#accounts = accounts
    this.#id = id
  }

  /** Changes what is named and nothing else. @throws Failure('notFound') when the user is no more */
  change({ sorting, viewMode, locale }: OwnSettings): Promise<void> {
    return this.#accounts.change(this.#id, (user) => {
      if (sorting) user.sorting = { by: sorting.by, asc: sorting.asc }
      if (viewMode) user.viewMode = viewMode
      if (locale !== undefined) user.locale = locale
    })
  }
}
