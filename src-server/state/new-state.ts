import { randomBytes } from 'node:crypto'
import { completed, listNames, SettingsRecord } from '../contract/records.ts'
import { currentSchema, type RecordLists, type SigningKey, type StateData } from './state-data.ts'

/** The state of a new server. */
export function newState(): StateData {
  return {
    schema: currentSchema,
    instance: randomBytes(4).toString('hex'),
    keys: [newKey()],
    lastUserId: 0,
    settings: completed(SettingsRecord, { trash: { isNews: false } }),
    ...emptyLists(),
  }
}

/** A key that nobody knows. */
export function newKey(): SigningKey {
  return { kid: randomBytes(4).toString('hex'), secret: randomBytes(32).toString('base64url') }
}

/** All lists, without records. */
export function emptyLists(): RecordLists {
  return Object.fromEntries(listNames.map((name) => [name, []])) as unknown as RecordLists
}
