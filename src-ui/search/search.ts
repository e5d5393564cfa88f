import { batch, computed, signal } from '@preact/signals-core'
import type { MoreReason, SearchResult } from '../../src-server/contract/search.ts'
import { call, HttpFailure } from '../api/http.ts'
import { readLines } from '../api/lines.ts'
import type { Entry } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { isSignedOut } from '../core/failure-reason.ts'
import { knownTrashSlice } from '../core/known-trash.ts'
import { parentOf, pathIn } from '../core/paths.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { nameOrder } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { chosenSlice } from './chosen.ts'

/** The types that can be pressed. */
export const searchTypes = ['image', 'music', 'video', 'pdf'] as const
export type SearchType = (typeof searchTypes)[number]

/** A result, with the parts of its name that match. */
export type FoundEntry = Entry & { marks: readonly (readonly [number, number])[] }

export type SearchState =
  /** Nothing is asked. */
  | { kind: 'nothing' }
  | { kind: 'searching' }
  | { kind: 'done'; more: MoreReason | undefined }
  | { kind: 'failed'; failure: unknown }

/** Results that are shown at first, and that are added at the end of the list. */
export const pageSize = 50
/** Milliseconds after a key press before the server is asked. */
const typingPause = 150

/** What is searched for, and what was found so far. */
export class Search {
  readonly #workspace: Workspace
  /** What is typed. */
  readonly text = signal('')
  readonly types = signal<ReadonlySet<SearchType>>(new Set())
  /** Whether only the folder is searched from which the search was opened. */
  readonly isHere = signal(false)
  /** The folder from which the search was opened. */
  readonly folder = signal('/')
  readonly state = signal<SearchState>({ kind: 'nothing' })
  readonly results = signal<readonly FoundEntry[]>([])
  /** Whether the results are those of another query, because those of this one have not come yet. */
  readonly isStale = signal(false)
  /** What the trash has that fits too, once the search has ended; undefined when that is nothing, or was not asked. */
  readonly inTrash = signal<{ count: number; filter: string } | undefined>(undefined)
  /** How many are shown. */
  readonly shownCount = signal(pageSize)
  /** In the order of the page: first what is in the folder. */
  readonly groups = computed(() => {
    const inside = this.folder.value === '/' ? '/' : `${this.folder.value}/`
    const here = this.results.value.filter(({ path }) => path.startsWith(inside))
    const elsewhere = this.folder.value === '/' ? [] : this.results.value.filter(({ path }) => !path.startsWith(inside))
    return { here, elsewhere }
  })
  readonly ordered = computed(() => [...this.groups.value.here, ...this.groups.value.elsewhere])
  #running: AbortController | undefined
  #clearPause = () => {}

  constructor(workspace: Workspace) {
    this.#workspace = workspace
    workspace.onDispose(() => this.close())
  }

  /** Begins with what was asked last. */
  open(): void {
    const view = this.#workspace.use(entryViewSlice)
    const path = view.currentPath.peek()
    batch(() => {
      this.folder.value = view.state.peek().kind === 'file' ? parentOf(path) : path
      if (this.folder.value === '/') this.isHere.value = false
    })
    this.start()
  }

  /** Stops the search on the server too. */
  close(): void {
    this.#clearPause()
    this.#running?.abort()
    this.#running = undefined
    this.inTrash.value = undefined
  }

  type(text: string): void {
    this.close()
    batch(() => {
      this.text.value = text
      this.state.value = { kind: 'searching' }
      this.isStale.value = true
      this.#workspace.use(chosenSlice).entry.value = undefined
    })
    this.#clearPause = this.#workspace.timeout(() => this.start(), typingPause)
  }

  toggleType(type: SearchType): void {
    const types = new Set(this.types.value)
    if (!types.delete(type)) types.add(type)
    this.types.value = types
    this.start()
  }

  setHere(isHere: boolean): void {
    this.isHere.value = isHere
    this.start()
  }

  showMore(): void {
    if (this.shownCount.value < this.results.value.length) this.shownCount.value += pageSize
  }

  /** Searches anew. What was found before stays until something is found. */
  start(): void {
    this.close()
    const query = this.#query()
    if (query === '') {
      this.#replace([])
      this.state.value = { kind: 'nothing' }
      return
    }
    const running = new AbortController()
    this.#running = running
    this.state.value = { kind: 'searching' }
    this.isStale.value = true
    void this.#run(query, AbortSignal.any([running.signal, this.#workspace.signal]))
  }

  #query(): string {
    const text = this.text.value.trim()
    return [...[...this.types.value].map((type) => `type:${type}`), text].filter((part) => part !== '').join(' ')
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    const path = this.isHere.peek() ? this.folder.peek() : '/'
    let found: FoundEntry[] | undefined
    let more: MoreReason | undefined
    try {
      for await (const lines of readLines('GET /api/search/*', { path, query: { query }, signal })) {
        const results = lines.filter((line): line is SearchResult => 'path' in line)
        for (const line of lines) if ('more' in line) more = line.more as MoreReason
        if (results.length === 0) continue
        const entries = results.map((result) => entryOf(path, result))
        if (found) this.results.value = [...this.results.value, ...entries]
        else this.#replace(entries)
        found ??= entries
      }
      this.#end(found, { kind: 'done', more })
      void this.#lookIntoTrash(signal)
    } catch (failure) {
      if (signal.aborted || isSignedOut(failure)) return
      this.#end(found, { kind: 'failed', failure })
    }
  }

  /** Asks only for words: the trash knows no filters by type, size or time. A failure is not reported: the search itself has succeeded. */
  async #lookIntoTrash(signal: AbortSignal): Promise<void> {
    const filter = this.text.peek().trim()
    if (filter === '' || this.types.peek().size > 0 || hasFilter.test(filter)) return
    if (!this.#workspace.use(knownTrashSlice).isShown()) return
    const asked = call('GET /api/trash', { query: { filter, limit: '1' }, signal, isBackground: true })
    const { total: count } = await asked.catch(() => ({ total: 0 }))
    if (count > 0 && !signal.aborted) this.inTrash.value = { count, filter }
  }

  /** Sorted at the end only: what is looked at must not move at each line that comes. */
  #end(found: FoundEntry[] | undefined, state: SearchState): void {
    batch(() => {
      if (found) this.results.value = sortFound(this.results.peek())
      else this.#replace([])
      this.state.value = state
    })
    const chosen = this.#workspace.use(chosenSlice).entry.peek()
    const place = this.ordered.peek().findIndex(({ key }) => key === chosen?.key)
    while (place >= this.shownCount.peek()) this.showMore()
  }

  #replace(entries: readonly FoundEntry[]): void {
    batch(() => {
      this.results.value = entries
      this.isStale.value = false
      this.shownCount.value = pageSize
      this.#workspace.use(chosenSlice).entry.value = undefined
    })
  }
}

/** A word of a query that counts as a filter. */
const hasFilter = /(?:^|\s)(?:case|type|size|changed):/i

/** Whether the query itself was refused: the server's sentence says why. */
export const isRefusedQuery = (failure: unknown): failure is HttpFailure =>
  failure instanceof HttpFailure && failure.status === 400

function entryOf(folder: string, { dir, path, marks = [], ...item }: SearchResult): FoundEntry {
  const whole = pathIn(folder, path)
  return { ...item, path: whole, key: whole, isDir: dir, marks }
}

/** By name as listings are, then by path. The server sends what it finds first. */
function sortFound(entries: readonly FoundEntry[]): FoundEntry[] {
  const { compare } = nameOrder(locale.peek().code)
  return entries.toSorted((a, b) => compare(a.name, b.name) || compare(a.path, b.path))
}

export const searchSlice = slice('search', (workspace) => new Search(workspace))
