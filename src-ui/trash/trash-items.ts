import { computed, type Signal, signal } from '@preact/signals-core'
import type { TrashItem, TrashList } from '../../src-server/contract/trash.ts'
import { reportDone } from '../acts/offer-undo.ts'
import { call } from '../api/http.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { knownTrashSlice } from '../core/known-trash.ts'
import { noticesSlice } from '../core/notices.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { keepPresent, nothingSelected, type Selection, selectAll, selectedIn } from '../listing/selection.ts'
import { causeOf, reportLeft, restore } from '../operations/restore.ts'

export type SortedBy = 'date' | 'name' | 'size'
export type Sorting = Readonly<{ by: SortedBy; isAscending: boolean }>
/** An entry of the trash as a row: its id is its key in the selection. */
export type TrashRow = TrashItem & { key: string }

/** Entries that are asked for at a time. */
const pageSize = 1000
/** How many ids one request may have. */
const mostIds = 500

/** What the page of the trash shows: the first rows of all that match, as far as somebody has scrolled. */
export class TrashItems {
  readonly rows = signal<readonly TrashRow[]>([])
  /** What the server says of all that match; undefined until it has answered. */
  readonly facts = signal<Omit<TrashList, 'items'> | undefined>(undefined)
  /** Why they could not be read; undefined once they are. */
  readonly failure = signal<unknown>(undefined)
  readonly sorting = signal<Sorting>({ by: 'date', isAscending: false })
  readonly filter: Signal<string>
  readonly selection = signal<Selection>(nothingSelected)
  readonly isBusy = signal(false)
  readonly #workspace: Workspace
  #reading = new AbortController()
  #more: Promise<void> | undefined

  readonly order = computed(() => {
    const { value: entries } = this.rows
    const positions = new Map(entries.map(({ key }, index) => [key, index]))
    return { entries, indexOf: (key: string | undefined) => (key === undefined ? undefined : positions.get(key)) }
  })
  readonly selected = computed(() => selectedIn(this.order.value, this.selection.value))

  constructor(workspace: Workspace, filter = '') {
    this.#workspace = workspace
    this.filter = signal(filter)
  }

  /** Reads the beginning; what was shown stays until it comes. */
  async load(): Promise<void> {
    this.#reading.abort()
    this.#reading = new AbortController()
    this.#more = undefined
    const { signal } = this.#reading
    try {
      const list = await this.#workspace.use(tasksSlice).track(() => this.#read(0, signal))
      if (signal.aborted) return
      this.failure.value = undefined
      const before = this.order.value
      this.#take([], list)
      this.selection.value = keepPresent(this.selection.value, before, this.order.value)
    } catch (failure) {
      if (!signal.aborted && !isSignedOut(failure)) this.failure.value = failure
    }
  }

  /** Reads as many rows, or all that there are. */
  async readTo(count: number): Promise<void> {
    while (this.rows.value.length < Math.min(count, this.facts.value?.total ?? 0)) {
      const before = this.rows.value
      await this.#next()
      // It has failed, or others were read instead.
      if (this.rows.value.length <= before.length) return
    }
  }

  /** Reads what follows the rows that are there. */
  #next(): Promise<void> {
    this.#more ??= this.#readMore().finally(() => {
      this.#more = undefined
    })
    return this.#more
  }

  sortBy(by: SortedBy): void {
    const now = this.sorting.value
    // Names from A, the rest from what is newest or largest.
    this.sorting.value = { by, isAscending: now.by === by ? !now.isAscending : by === 'name' }
    const column = t(by === 'date' ? 'trash.deleted' : `listing.${by}`)
    const said = this.sorting.value.isAscending ? 'listing.sortedUp' : 'listing.sortedDown'
    this.#workspace.use(noticesSlice).announce(t(said, { column }))
    void this.load()
  }

  filterBy(text: string): void {
    this.filter.value = text
    void this.load()
  }

  /** Selects all that match, also those that were not read yet. */
  async selectAll(): Promise<void> {
    await this.readTo(Number.POSITIVE_INFINITY)
    this.selection.value = selectAll(this.selection.value, this.order.value)
  }

  clearSelected(): void {
    this.selection.value = { keys: new Set(), focus: this.selection.value.focus }
  }

  /** Puts entries back where they were. */
  async restore(rows: readonly TrashRow[]): Promise<void> {
    await this.#run(async () => {
      const { restored, act } = await restore(this.#workspace, rows)
      if (restored.length > 0) reportDone(this.#workspace, t('trash.restored', { count: restored.length }), act)
    })
  }

  /** Deletes entries for good, or all that this person may. */
  async purge(rows: readonly TrashRow[] | 'all'): Promise<void> {
    await this.#run(async () => {
      const notices = this.#workspace.use(noticesSlice)
      const bodies = rows === 'all' ? [{ all: true }] : parts(rows).map((items) => ({ items: items.map(({ id }) => id) }))
      const names = new Map(this.rows.value.map(({ id, name }) => [id, name]))
      const failures: { id: string; name: string; cause: string }[] = []
      let count = 0
      const purge = async (body: (typeof bodies)[number]) => {
        const answer = await call('DELETE /api/trash', { body, signal: this.#workspace.signal })
        count += answer.purged
        for (const { id, ...why } of answer.failures) failures.push({ id, name: names.get(id) ?? '', cause: causeOf(why) })
      }
      const label = t('remove.working', { count: rows === 'all' ? (this.facts.value?.total ?? 0) : rows.length })
      const { failed } = await this.#workspace.use(tasksSlice).each(bodies, purge, { label })
      if (count > 0) notices.succeed(t('remove.done', { count }))
      for (const { item, failure } of failed) {
        const ids = 'items' in item ? item.items : [...names.keys()]
        failures.push(...ids.map((id) => ({ id, name: names.get(id) ?? '', cause: failureReason(failure) })))
      }
      reportLeft(this.#workspace, t('remove.failed', { count: failures.length }), failures)
    })
  }

  async #run(work: () => Promise<void>): Promise<void> {
    if (this.isBusy.peek()) return
    this.isBusy.value = true
    try {
      await work()
    } catch (failure) {
      if (!isSignedOut(failure)) throw failure
    } finally {
      this.isBusy.value = false
      await this.load()
    }
  }

  async #readMore(): Promise<void> {
    const { signal } = this.#reading
    try {
      const list = await this.#read(this.rows.value.length, signal)
      if (!signal.aborted) this.#take(this.rows.value, list)
    } catch (failure) {
      if (signal.aborted || isSignedOut(failure)) return
      this.failure.value = failure
      this.#workspace.use(noticesSlice).fail(t('app.notLoaded'), failureReason(failure))
    }
  }

  #read(from: number, signal: AbortSignal): Promise<TrashList> {
    const { by, isAscending } = this.sorting.value
    const filter = this.filter.value.trim()
    const query = { by, order: isAscending ? 'asc' : 'desc', from: String(from), limit: String(pageSize) } as const
    return call('GET /api/trash', { query: { ...query, ...(filter && { filter }) }, signal })
  }

  /** What came meanwhile moves the rest: no row is shown twice. */
  #take(before: readonly TrashRow[], { items, ...facts }: TrashList): void {
    const known = new Set(before.map(({ key }) => key))
    this.rows.value = [...before, ...items.filter(({ id }) => !known.has(id)).map((item) => ({ ...item, key: item.id }))]
    // Nothing more comes, whatever was counted.
    this.facts.value = items.length === 0 ? { ...facts, total: this.rows.value.length } : facts
    if (this.filter.value.trim() === '') this.#workspace.use(knownTrashSlice).facts.value = facts
  }
}

function parts(rows: readonly TrashRow[]): (readonly TrashRow[])[] {
  return Array.from({ length: Math.ceil(rows.length / mostIds) }, (_, part) => rows.slice(part * mostIds, (part + 1) * mostIds))
}
