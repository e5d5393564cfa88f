import { signal } from '@preact/signals-core'
import type { RequestChanges, RequestLink, SenderList } from '../../src-server/contract/requests.ts'
import { Coalesced } from '../core/coalesce.ts'
import { failureReason, isSignedOut, unlessGone } from '../core/failure-reason.ts'
import { liveSlice } from '../core/live.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { allRequests, changeRequest, createRequest, deleteRequest, seeRequest, sendersOf } from './request-calls.ts'
import {
  newRequestDraft,
  type RequestDraft,
  type RequestProblems,
  requestChanges,
  requestDraftOf,
  requestProblemsOf,
  toRequest,
} from './request-draft.ts'
import { timeAgain } from './request-facts.ts'

/** Milliseconds between two questions for what has arrived. */
const newsPause = 2000

/** What the dialog shows. */
export type RequestMode = 'loading' | 'links' | 'new' | 'edit' | 'one'

/** The folder that the links are about. */
export type RequestFolder = Readonly<{ path: string; name: string }>

/** The links that take files into a folder, the form of one, and what has come by one. */
export class RequestLinks {
  readonly folder: RequestFolder
  readonly mode = signal<RequestMode>('loading')
  readonly links = signal<readonly RequestLink[]>([])
  /** The link that is shown or changed. */
  readonly shown = signal<RequestLink | undefined>(undefined)
  readonly senders = signal<SenderList['senders']>([])
  readonly nextSenders = signal<string | undefined>(undefined)
  readonly draft = signal<RequestDraft>(newRequestDraft(''))
  readonly problems = signal<RequestProblems>({})
  readonly isBusy = signal(false)
  readonly mayBePermanent = true
  readonly #workspace: Workspace
  readonly #leaving = new AbortController()
  /** Files arrive many times a second. */
  readonly #news: Coalesced
  #before = newRequestDraft('')
  /** Whether it was opened for one link, as the list of all links does it. */
  #isOfOne = false

  constructor(workspace: Workspace, folder: RequestFolder) {
    this.#workspace = workspace
    this.folder = folder
    this.#news = new Coalesced(workspace, newsPause, () => this.#readAgain())
  }

  /** Reads the links, and shows one or the form of a new one. @param hash of the one that is wanted @returns false when they could not be read */
  async load(hash?: string): Promise<boolean> {
    this.#isOfOne = hash !== undefined
    const { signal } = this.#leaving
    try {
      await this.#workspace.use(tasksSlice).track(() => this.#read())
      if (signal.aborted) return true
      const [first, ...others] = this.links.value
      const wanted = this.links.value.find((link) => link.hash === hash)
      if (wanted) this.show(wanted)
      else if (!first) this.begin()
      else if (others.length === 0) this.show(first)
      else this.mode.value = 'links'
      return true
    } catch (failure) {
      if (!signal.aborted) this.#fail(t('requests.loadFailed'), failure)
      return signal.aborted
    }
  }

  /** Shows what changes elsewhere, and what arrives. @returns a function that ends it */
  follow(): () => void {
    const end = this.#workspace.use(liveSlice).followNews('requests', () => this.#news.request())
    return () => {
      end()
      this.#leaving.abort()
    }
  }

  /** Shows what has come by a link. */
  show(link: RequestLink): void {
    this.shown.value = link
    this.senders.value = []
    this.mode.value = 'one'
    void this.#readSenders()
  }

  /** Shows all links of the folder. Where none is left: the form of a new one, unless one was wanted. */
  back(): void {
    if (this.links.value.length === 0) {
      if (this.#isOfOne) this.#workspace.use(overlaysSlice).close('requestFiles')
      else this.begin()
      return
    }
    this.shown.value = undefined
    this.mode.value = 'links'
  }

  /** Shows the form of a new link. */
  begin(): void {
    this.shown.value = undefined
    this.#open(newRequestDraft(this.folder.name), 'new')
  }

  edit(): void {
    const link = this.shown.value
    if (link) this.#open(requestDraftOf(link), 'edit')
  }

  change(changes: Partial<RequestDraft>): void {
    this.draft.value = { ...this.draft.value, ...changes }
    this.problems.value = {}
  }

  /** Makes or changes the link of the form, and shows it. */
  async save(): Promise<void> {
    const draft = this.draft.value
    this.problems.value = requestProblemsOf(draft, this.#before) ?? {}
    if (Object.keys(this.problems.value).length > 0) return
    const { shown } = this
    const isNew = this.mode.value === 'new'
    await this.#attempt(t(isNew ? 'shares.notCreated' : 'shares.notSaved'), async () => {
      const link = shown.value
      const saved = link
        ? await changeRequest(link.hash, requestChanges(draft, this.#before))
        : await createRequest(this.folder.path, toRequest(draft))
      this.#put(saved)
      this.show(saved)
      if (!isNew) this.#workspace.use(noticesSlice).succeed(t('shares.saved'))
    })
  }

  /** Nothing more is taken in, or it is again. */
  async setClosed(closed: boolean): Promise<boolean> {
    const link = this.shown.value
    if (!link) return false
    const again = closed ? undefined : timeAgain(link)
    const changes: RequestChanges = { closed, ...(again !== undefined && { expires: String(again), unit: 'seconds' }) }
    return this.#attempt(t('requests.notChanged'), async () => {
      this.#put(await changeRequest(link.hash, changes))
      this.#workspace.use(noticesSlice).succeed(t(closed ? 'requests.closed' : 'requests.reopened'))
    })
  }

  /** @returns whether it is gone */
  async remove(): Promise<boolean> {
    const link = this.shown.value
    if (!link) return false
    return this.#attempt(t('shares.notDeleted'), async () => {
      await deleteRequest(link.hash).catch(unlessGone)
      this.links.value = this.links.value.filter(({ hash }) => hash !== link.hash)
      this.#workspace.use(noticesSlice).succeed(t('shares.deleted'))
      this.back()
    })
  }

  async moreSenders(): Promise<void> {
    const link = this.shown.value
    const after = this.nextSenders.value
    if (!link || after === undefined) return
    const page = await sendersOf(link.hash, this.#leaving.signal, after).catch(() => undefined)
    if (!page || this.shown.peek()?.hash !== link.hash) return
    this.#putSenders([...this.senders.value, ...page.senders], page.next)
  }

  #open(draft: RequestDraft, mode: 'new' | 'edit') {
    this.#before = draft
    this.draft.value = draft
    this.problems.value = {}
    this.mode.value = mode
  }

  async #read() {
    const all = await allRequests(this.#leaving.signal)
    this.links.value = all.filter(({ path }) => path === this.folder.path)
  }

  async #readAgain() {
    if (this.#leaving.signal.aborted || this.mode.peek() === 'loading') return
    // Its answer would be older than what the page is just changing.
    if (this.isBusy.peek()) return this.#news.request()
    await this.#read().catch(() => undefined)
    const shown = this.shown.peek()
    if (this.#leaving.signal.aborted || !shown) return
    const present = this.links.peek().find(({ hash }) => hash === shown.hash)
    if (!present) return this.mode.peek() === 'one' ? this.back() : undefined
    this.shown.value = present
    if (this.mode.peek() === 'one') await this.#readSenders()
  }

  async #readSenders() {
    const link = this.shown.peek()
    if (!link) return
    const list = await this.#sendersOf(link).catch(() => undefined)
    if (!list || this.shown.peek()?.hash !== link.hash) return
    this.#putSenders(list.senders, list.next)
    const isOwn = link.userID === this.#workspace.user.peek()?.id
    if (isOwn && link.files > link.seen) await seeRequest(link.hash, link.files).catch(() => undefined)
  }

  /** As many as are shown, at least one page. */
  async #sendersOf({ hash }: RequestLink): Promise<SenderList> {
    const senders: SenderList['senders'] = []
    let next: string | undefined
    do {
      const page = await sendersOf(hash, this.#leaving.signal, next)
      senders.push(...page.senders)
      next = page.next
    } while (next !== undefined && senders.length < this.senders.peek().length)
    return { senders, ...(next !== undefined && { next }) }
  }

  /** Each once: who sends something between two pages moves to the first, and the others down. */
  #putSenders(senders: SenderList['senders'], next: string | undefined) {
    const known = new Set<string>()
    this.senders.value = senders.filter(({ id }) => !known.has(id) && known.add(id))
    this.nextSenders.value = next
  }

  #put(link: RequestLink) {
    const isKnown = this.links.value.some(({ hash }) => hash === link.hash)
    this.links.value = isKnown
      ? this.links.value.map((one) => (one.hash === link.hash ? link : one))
      : [...this.links.value, link]
    if (this.shown.value?.hash === link.hash) this.shown.value = link
  }

  async #attempt(failed: string, work: () => Promise<void>): Promise<boolean> {
    if (this.isBusy.value) return false
    this.isBusy.value = true
    try {
      await work()
      return true
    } catch (failure) {
      this.#fail(failed, failure)
      return false
    } finally {
      this.isBusy.value = false
    }
  }

  #fail(what: string, failure: unknown): void {
    if (!isSignedOut(failure)) this.#workspace.use(noticesSlice).fail(what, failureReason(failure))
  }
}
