// Texts that are not saved yet, kept in this browser: they survive a closed tab, a crash and the end of the session.
import { baseURL } from '../api/page-config.ts'
import { user } from '../core/session.ts'
import { slice, type Workspace } from '../core/workspace.ts'

/** `unsaved`: while it is typed. `mine` and `theirs`: the version that was not chosen after a conflict. */
export type DraftKind = 'unsaved' | 'mine' | 'theirs'

/** A kept text. */
export type Draft = {
  id: string
  /** The id of the person. */
  owner: number
  path: string
  kind: DraftKind
  /** With the line endings of the file, without a byte-order mark. */
  text: string
  encoding: string
  hasMark: boolean
  /** The version of the file that the text was made from. */
  version: string | undefined
  /** Milliseconds since the epoch. */
  at: number
}

const day = 86_400_000
/** How long a draft is kept, in milliseconds. */
export const draftLife: Readonly<Record<DraftKind, number>> = { unsaved: 30 * day, mine: 7 * day, theirs: 7 * day }
/** How many drafts of a person are kept, and how many characters in all; the oldest are removed. */
export const [mostDrafts, mostCharacters] = [100, 64 * 2 ** 20]

const [storeName, fileIndex] = ['drafts', 'file']

/** The drafts of one person. */
export class Drafts {
  readonly #owner: number
  readonly #open: () => Promise<IDBDatabase>
  readonly #known = new Set<string>()
  /** Milliseconds since the epoch. */
  #tidiedAt = Number.NEGATIVE_INFINITY

  constructor(owner: number, open: () => Promise<IDBDatabase> = openDatabase) {
    this.#owner = owner
    this.#open = open
  }

  /** Stores a draft, in place of an older one with its id. @throws when the browser cannot store it */
  async keep(draft: Omit<Draft, 'owner' | 'at'>): Promise<void> {
    await this.#run('readwrite', (store) => store.put({ ...draft, owner: this.#owner, at: Date.now() }))
    // Not each time that a text is stored again while somebody types: tidying reads all drafts.
    if (this.#known.has(draft.id) && !this.#isTidyingDue()) return
    this.#known.add(draft.id)
    await this.#tidy()
  }

  async remove(id: string): Promise<void> {
    await this.#run('readwrite', (store) => store.delete(id))
  }

  /** The drafts of a file, the newest first. @throws when the browser cannot read them */
  async of(path: string): Promise<Draft[]> {
    if (this.#isTidyingDue()) await this.#tidy()
    const found = await this.#run('readonly', (store) => store.index(fileIndex).getAll([this.#owner, path]))
    return newestFirst(found as Draft[]).filter((draft) => !isOver(draft))
  }

  async removeAll(): Promise<void> {
    for (const { id } of await this.#all()) await this.remove(id)
  }

  async #all(): Promise<Draft[]> {
    const all = (await this.#run('readonly', (store) => store.getAll())) as Draft[]
    return all.filter(({ owner }) => owner === this.#owner)
  }

  #isTidyingDue(): boolean {
    return Date.now() - this.#tidiedAt >= day
  }

  /** Removes what is expired, of everybody, and what is too much of this person. Drafts can be used when that fails. */
  async #tidy(): Promise<void> {
    this.#tidiedAt = Date.now()
    await this.#removeExcess().catch(() => undefined)
  }

  // In one transaction: another tab may store one of these drafts again meanwhile.
  async #removeExcess(): Promise<void> {
    const database = await this.#open()
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(storeName, 'readwrite')
      const store = transaction.objectStore(storeName)
      const request = store.getAll()
      request.onsuccess = () => {
        for (const { id } of excessOf(request.result as Draft[], this.#owner)) store.delete(id)
      }
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('the drafts were not tidied'))
    })
  }

  async #run(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
    const database = await this.#open()
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(storeName, mode)
      const request = work(transaction.objectStore(storeName))
      // At once: when the page is closed now, nothing runs after the request has succeeded.
      transaction.commit()
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error ?? new Error('the draft was not stored'))
    })
  }
}

const newestFirst = (drafts: Draft[]): Draft[] => drafts.sort((one, other) => other.at - one.at)
const isOver = ({ kind, at }: Draft): boolean => Date.now() - at > draftLife[kind]

function excessOf(all: Draft[], person: number): Draft[] {
  const kept = newestFirst(all.filter((draft) => draft.owner === person && !isOver(draft)))
  let characters = 0
  const tooMuch = kept.filter(({ text }, index) => {
    characters += text.length
    // The newest stays whatever its size.
    return index > 0 && (index >= mostDrafts || characters > mostCharacters)
  })
  return [...all.filter(isOver), ...tooMuch]
}

let database: Promise<IDBDatabase> | undefined

function openDatabase(): Promise<IDBDatabase> {
  // After a failure the next draft tries again.
  database ??= openNow().catch((cause) => {
    database = undefined
    throw cause
  })
  return database
}

function openNow(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // One origin may have several instances, with different base URLs.
    const request = indexedDB.open(`holdall${baseURL}`, 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(storeName, { keyPath: 'id' }).createIndex(fileIndex, ['owner', 'path'])
    request.onsuccess = () => {
      request.result.onclose = () => {
        database = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error ?? new Error('the browser has no storage'))
  })
}

/** The drafts of the workspace's person. A sign-out removes them: the next person at this computer must not read them. */
export const draftsSlice = slice('drafts', (workspace: Workspace) => {
  const drafts = new Drafts(workspace.user.peek()?.id ?? 0)
  workspace.onDispose(() => {
    // When another person signs in after the end of the session, the text is still wanted by the first.
    if (user.peek() === null) void drafts.removeAll().catch(() => undefined)
  })
  return drafts
})

/** An id for a draft. `crypto.randomUUID` needs a secure context, which most home networks are not. */
export const newDraftId = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
