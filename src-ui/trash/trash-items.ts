import { batch, computed, type Signal, signal } from '@preact/signals-core'
import type { TrashItem, TrashList } from '../../src-server/contract/trash.ts'
import { reportDone, reportPartDone } from '../acts/offer-undo.ts'
import { call, HttpFailure } from '../api/http.ts'
import { failureReason, isSignedOut } from '../core/failure-reason.ts'
import { knownTrashSlice } from '../core/known-trash.ts'
import { noticesSlice } from '../core/notices.ts'
import { getItem, setItem } from '../core/storage.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { keepPresent, nothingSelected, type Selection, selectAll, selectedIn } from '../listing/selection.ts'
import { causeOf, itemOfJob, type Restoring, reportLeft, restore } from '../operations/restore.ts'
import { purgeAll, runJob } from '../operations/run-job.ts'

export type SortedBy = 'date' | 'name' | 'size'
export type Sorting = Readonly<{ by: SortedBy; isAscending: boolean }>
/** An entry of the trash as a row: its id is its key in the selection. */
export type TrashRow = TrashItem & { key: string }

/** Entries that are asked for at a time. */
const pageSize = 1000

/** Where this browser keeps how the trash is sorted. */
const sortingKey = 'trash-sorting'

function keptSorting(): Sorting {
  const [kept, direction] = (getItem(sortingKey) ?? '').split(' ')
  const by = (['date', 'name', 'size'] as const).find((one) => one === kept)
  return by ? { by, isAscending: direction === 'up' } : { by: 'date', isAscending: false }
}

type Failures = Restoring['failed']

/** What the page of the trash shows: the first rows of all that match, as far as somebody has scrolled. */
export class TrashItems {
  readonly rows = signal<readonly TrashRow[]>([])
  /** What the server says of all that match; undefined until it has answered. */
  readonly facts = signal<Omit<TrashList, 'items'> | undefined>(undefined)
  /** Whether nothing is there, rather than nothing that matches: known from the last answer, whatever is typed since. */
  readonly isEmpty = signal(false)
  /** Why they could not be read; undefined once they are. */
  readonly failure = signal<unknown>(undefined)
  readonly sorting = signal<Sorting>(keptSorting())
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

  /**
   * Reads the beginning; what was shown stays until it comes.
   * @param isBackground nobody waits for it: another failure is not told
   */
  async load({ isBackground = false } = {}): Promise<void> {
    this.#reading.abort()
    this.#reading = new AbortController()
    this.#more = undefined
    const { signal } = this.#reading
    try {
      const read = () => this.#read(0, signal)
      const list = await (isBackground ? read() : this.#workspace.use(tasksSlice).track(read))
      if (signal.aborted) return
      this.failure.value = undefined
      const before = this.order.value
      this.#take([], list)
      this.selection.value = keepPresent(this.selection.value, before, this.order.value)
    } catch (failure) {
      if (signal.aborted || isSignedOut(failure)) return
      if (!isBackground || this.failure.peek() === undefined) this.failure.value = failure
    }
  }

  /** How many match, read or not. */
  get count(): number {
    return Math.max(this.rows.value.length, this.facts.value?.total ?? 0)
  }

  /** As `readTo`, for somebody who waits for it. */
  readAhead(count: number): Promise<void> {
    return this.#workspace.use(tasksSlice).track(() => this.readTo(count))
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
    setItem(sortingKey, `${by} ${this.sorting.value.isAscending ? 'up' : 'down'}`)
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
    await this.#run(async (onKept) => {
      const { restored, act, notice } = await restore(this.#workspace, rows, { onKept })
      const text = restored.length > 0 ? t('trash.restored', { count: restored.length }) : undefined
      if (notice !== undefined) reportPartDone(this.#workspace, text, act, { fail: () => notice })
      else if (text !== undefined) reportDone(this.#workspace, text, act)
    })
  }

  /**
   * Deletes entries for good, or all that this person may.
   * @param then called once, when that is done or goes on without the page
   */
  async purge(rows: readonly TrashRow[] | 'all', then: () => void = () => {}): Promise<void> {
    let hasTold = false
    const tell = () => {
      if (!hasTold) then()
      hasTold = true
    }
    await this.#run(async (onKept) => {
      const kept = () => {
        onKept()
        tell()
      }
      const { gone, failures } = await (rows === 'all' ? this.#purgeAll(kept) : this.#purge(rows, kept))
      if (gone > 0) this.#workspace.use(noticesSlice).succeed(t('remove.done', { count: gone }))
      reportLeft(this.#workspace, t('remove.failed', { count: failures.length }), failures)
    })
    tell()
  }

  /** The server knows what there is, of which the page may have read only the beginning. */
  async #purgeAll(onKept: () => void): Promise<{ gone: number; failures: Failures }> {
    const count = this.facts.peek()?.own.items ?? 0
    const nameOf = new Map(this.rows.peek().map(({ id, name }) => [id, name]))
    try {
      const label = t('remove.working', { count })
      const { gone, failed } = await purgeAll(this.#workspace, nameOf, { label, onKept })
      const failures = failed.filter(({ failure }) => failure.status !== 404)
      const named = failures.map(({ id, failure }) => ({
        id,
        name: nameOf.get(id) ?? t('title.trash'),
        cause: failureReason(failure),
      }))
      return { gone, failures: named }
    } catch (failure) {
      if (isSignedOut(failure)) throw failure
      this.#workspace.use(noticesSlice).fail(t('remove.failed', { count }), failureReason(failure))
      return { gone: 0, failures: [] }
    }
  }

  /** One file is a call of its own, which waits for no place among the jobs. */
  async #purge(rows: readonly TrashRow[], onKept: () => void): Promise<{ gone: number; failures: Failures }> {
    const [only] = rows
    if (!only) return { gone: 0, failures: [] }
    if (rows.length === 1 && !only.isDir) return this.#purgeOne(only)
    const label = t('remove.working', { count: rows.length })
    const { done, failed: all } = await runJob(this.#workspace, { kind: 'purge', items: rows.map(itemOfJob), label, onKept })
    // What somebody else has removed or put back is gone as well.
    const failed = all.filter(({ failure }) => !(failure instanceof HttpFailure && failure.status === 404))
    const failures = failed.map(({ item, failure }) => ({ id: item.path, name: item.name, cause: failureReason(failure) }))
    return { gone: done.length, failures }
  }

  async #purgeOne({ id, name }: TrashRow): Promise<{ gone: number; failures: Failures }> {
    const failures: Failures = []
    let gone = 0
    const purge = async () => {
      const answer = await call('DELETE /api/trash', { body: { items: [id] }, signal: this.#workspace.signal })
      gone = answer.purged
      failures.push(...answer.failures.map((why) => ({ id, name, cause: causeOf(why) })))
    }
    const { failed } = await this.#workspace.use(tasksSlice).each([id], purge, { label: t('remove.working', { count: 1 }) })
    failures.push(...failed.map(({ failure }) => ({ id, name, cause: failureReason(failure) })))
    return { gone, failures }
  }

  /** @param work gets what is called when it goes on without the page, so that something else can be done meanwhile */
  async #run(work: (onKept: () => void) => Promise<void>): Promise<void> {
    if (this.isBusy.peek()) return
    this.isBusy.value = true
    let isFree = false
    // Something else may have begun when it ends.
    const free = () => {
      if (!isFree) this.isBusy.value = false
      isFree = true
    }
    try {
      await work(free)
    } catch (failure) {
      if (!isSignedOut(failure)) throw failure
    } finally {
      free()
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
    const total = items.length === 0 ? this.rows.value.length : facts.total
    const isFiltered = this.filter.value.trim() !== ''
    batch(() => {
      this.facts.value = { ...facts, total }
      this.isEmpty.value = total === 0 && !isFiltered
    })
    if (!isFiltered) this.#workspace.use(knownTrashSlice).facts.value = facts
  }
}
