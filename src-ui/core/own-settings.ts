// What a person sets for themselves is kept with their account: it holds in every browser and after every sign-in.
import type { ProfileFields } from '../../src-server/contract/users.ts'
import { call, HttpFailure } from '../api/http.ts'
import { t } from '../i18n/t.ts'
import { fail } from './notices.ts'
import { user } from './session.ts'

let waiting: { id: number; fields: ProfileFields } | undefined
let running: Promise<void> | undefined

/**
 * Keeps settings with the account of whoever is signed in. What is set while an earlier change is on its way is sent
 * after it, all at once, so that the last word counts. A refusal is a notice: the page goes on as it was set.
 * @returns when nothing is on its way any more
 */
export function saveOwnSettings(fields: ProfileFields): Promise<void> {
  const id = user.value?.id
  if (id === undefined) return Promise.resolve()
  waiting = { id, fields: { ...(waiting?.id === id ? waiting.fields : {}), ...fields } }
  running ??= sendAll().finally(() => {
    running = undefined
  })
  return running
}

async function sendAll(): Promise<void> {
  while (waiting) {
    const { id, fields } = waiting
    waiting = undefined
    // Somebody else has signed in meanwhile: it was not theirs.
    if (id === user.value?.id) await send(id, fields)
  }
}

async function send(id: number, fields: ProfileFields): Promise<void> {
  const which = Object.keys(fields) as (keyof ProfileFields)[]
  try {
    await call('PUT /api/users/:id', { id, body: { what: 'user', which, data: { id, ...fields } } })
  } catch (failure) {
    // The session's end is said by the login screen.
    if (failure instanceof HttpFailure && failure.status === 401) return
    fail(t('settings.notKept'), failure instanceof Error ? failure.message : String(failure))
  }
}
