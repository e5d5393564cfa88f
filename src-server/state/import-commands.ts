import { Failure } from '../base/failure.ts'
import { foldedUsername } from '../base/folded-name.ts'
import { type By, checkAdministrator } from './actor.ts'
import { newState } from './new-state.ts'
import { readState } from './read-state.ts'
import type { ImportedFrom, StateData, StateDraft, StoredLink, StoredSettings, StoredUser } from './state-data.ts'
import { stateError } from './state-schema.ts'
import { mostUsers } from './user-commands.ts'

/** What an import adds. Users have ids that nobody has had. */
export type ImportedRecords = Readonly<{
  users: readonly StoredUser[]
  links: readonly StoredLink[]
  /** Undefined: those that are there stay. */
  settings?: Partial<StoredSettings>
  /** Ids up to this one are not given again. */
  lastUserId: number
  from: ImportedFrom
  /** Where the root of earlier imports is from now on; undefined: where it was. */
  moved?: Pick<ImportedFrom, 'root' | 'rootIdentity'>
}>

/** What an import has to know of the state that it adds to. */
export type PresentRecords = Readonly<{
  users: readonly Pick<StoredUser, 'id' | 'username'>[]
  lastUserId: number
  hashes: readonly string[]
  /** Of earlier imports. */
  imported: readonly ImportedFrom[]
}>

/** Of a state that is new. */
export const noRecords: PresentRecords = { users: [], lastUserId: 0, hashes: [], imported: [] }

/**
 * Reads it from a state file; writes nothing.
 * @returns for a file that holds no state the reason, as what follows its name in a sentence
 */
export function presentRecords(file: string): PresentRecords | Readonly<{ reason: string }> {
  const reading = readState(file)
  if (reading.kind === 'missing') return noRecords
  return reading.kind === 'bad' ? { reason: reading.reason } : presentIn(reading.data)
}

/** The text of a state file. @returns undefined for a file that holds no state */
export function stateText(file: string): string | undefined {
  const reading = readState(file)
  return reading.kind === 'good' ? reading.text : undefined
}

/** The state in a file, or a new one, with what an import adds. @throws Failure as importRecords */
export function stateWith(file: string, input: ImportedRecords & { replaces: boolean }): StateData {
  const reading = readState(file)
  const draft: StateDraft = { ...(reading.kind === 'good' ? reading.data : newState()) }
  importCommands.importRecords(draft, input)
  return draft
}

function presentIn({ users, links, requests, lastUserId, imported = [] }: StateData): PresentRecords {
  const hashes = [...links, ...requests].map(({ hash }) => hash)
  return { users, lastUserId, hashes, imported }
}

export const importCommands = {
  /**
   * Adds what an import brings, all of it or nothing.
   * @param input.replaces all users with their sessions and links of before go
   * @throws Failure('conflict') when a name, an id or a hash is taken meanwhile, or there are too many users, Failure('invalid') for
   *   what the next start could not read
   */
  importRecords(draft: StateDraft, { replaces, ...input }: ImportedRecords & { replaces: boolean }): void {
    if (replaces) Object.assign(draft, { users: [], sessions: [], links: [], requests: [], imported: [] })
    checkFree(draft, input)
    draft.users = [...draft.users, ...input.users]
    draft.links = [...draft.links, ...input.links]
    draft.lastUserId = Math.max(draft.lastUserId, input.lastUserId, ...input.users.map(({ id }) => id))
    if (input.settings) draft.settings = { ...draft.settings, ...input.settings }
    if (input.moved) importCommands.moveRoot(draft, input.moved)
    draft.imported = [...(draft.imported ?? []), input.from]
    const problem = stateError(draft)
    if (problem !== undefined) throw new Failure('invalid', `the state could not be read any more: ${problem}`)
  },

  /** The root of an imported state is another folder from now on. */
  moveRoot(draft: StateDraft, { root, rootIdentity }: Pick<ImportedFrom, 'root' | 'rootIdentity'>): void {
    draft.imported = (draft.imported ?? []).map((from) => ({ ...from, root, rootIdentity }))
  },

  /** An administrator has seen what imports have brought. @throws as checkAdministrator */
  takeNoteOfImports(draft: StateDraft, { by }: { by: By }): void {
    checkAdministrator(draft, by)
    if (draft.imported?.some(({ notice }) => notice))
      draft.imported = draft.imported.map(({ notice: _, ...from }): ImportedFrom => from)
  },
}

function checkFree({ users, links, requests, lastUserId }: StateDraft, input: Pick<ImportedRecords, 'users' | 'links'>): void {
  const names = new Set(users.map(({ username }) => foldedUsername(username)))
  const hashes = new Set([...links, ...requests].map(({ hash }) => hash))
  const isTaken =
    input.users.some(({ id, username }) => id <= lastUserId || names.has(foldedUsername(username))) ||
    input.links.some(({ hash }) => hashes.has(hash)) ||
    users.length + input.users.length > mostUsers
  if (isTaken) throw new Failure('conflict')
}
