import type { Events, Source } from '../events/events.ts'
import type { StoredUser } from '../state/state-data.ts'
import type { Accounts } from './accounts.ts'

/** The settings that users change for themselves. */
export type OwnSettings = Partial<Pick<StoredUser, 'sorting' | 'viewMode' | 'locale'>>

type OwnAccountParts = Readonly<{
  accounts: Pick<Accounts, 'change'>
  events: Events
  user: Pick<StoredUser, 'id' | 'username'>
  source: Source
}>

/** The record of the user who is signed in. */
export class OwnAccount {
  readonly #parts: OwnAccountParts

  constructor(parts: OwnAccountParts) {
    this.#parts = parts
  }

  /** Changes the given settings. @throws Failure('notFound') when the user was removed */
  change(settings: OwnSettings): Promise<void> {
    const { accounts, events, user, source } = this.#parts
    const by = { id: user.id, name: user.username }
    const event = { kind: 'settings', fields: Object.keys(settings), by, ...source } as const
    return events.around(event, () => accounts.change(user.id, ownSettings(settings)))
  }
}

/** Nothing else that a body brings. */
function ownSettings({ sorting, viewMode, locale }: OwnSettings): OwnSettings {
  return {
    ...(sorting && { sorting: { by: sorting.by, asc: sorting.asc } }),
    ...(viewMode && { viewMode }),
    ...(locale !== undefined && { locale }),
  }
}
