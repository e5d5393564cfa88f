import type { ProfileFields } from '../../src-server/contract/users.ts'
import { call } from '../api/http.ts'
import { t } from '../i18n/t.ts'
import { isSignedOut } from './failure-reason.ts'
import { noticesSlice } from './notices.ts'
import { slice, type Workspace } from './workspace.ts'

/** Settings that are stored with the person's account, so that they hold in every browser. */
export class OwnSettings {
  readonly #workspace: Workspace
  #waiting: ProfileFields | undefined
  #running: Promise<void> | undefined

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /**
   * Stores settings. Changes made while an earlier one is sent follow it together, so that the last value is stored. A
   * refusal is reported in a notice, and the page keeps the value.
   * @returns when nothing is being sent any more
   */
  save(fields: ProfileFields): Promise<void> {
    if (!this.#workspace.user.value) return Promise.resolve()
    this.#waiting = { ...this.#waiting, ...fields }
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting) {
      const fields = this.#waiting
      this.#waiting = undefined
      const id = this.#workspace.user.value?.id
      if (id !== undefined && !this.#workspace.signal.aborted) await this.#send(id, fields)
    }
  }

  async #send(id: number, fields: ProfileFields): Promise<void> {
    const which = Object.keys(fields) as (keyof ProfileFields)[]
    try {
      const body = { what: 'user', which, data: { id, ...fields } } as const
      await call('PUT /api/users/:id', { id, body, signal: this.#workspace.signal, keepalive: true })
    } catch (failure) {
      if (this.#workspace.signal.aborted) return
      if (isSignedOut(failure)) return
      const reason = failure instanceof Error ? failure.message : String(failure)
      this.#workspace.use(noticesSlice).fail(t('settings.notKept'), reason)
    }
  }
}

export const ownSettingsSlice = slice('ownSettings', (workspace) => new OwnSettings(workspace))
