// Tells the owner of links that take files in what has arrived, and how much of it they have not seen.
import { signal } from '@preact/signals-core'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { Coalesced } from '../core/coalesce.ts'
import { liveSlice } from '../core/live.ts'
import { go } from '../core/location.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { allRequests, sendersOf } from './request-calls.ts'
import { unseenOf } from './request-facts.ts'

/** Milliseconds for which what arrives is told at once. */
const joinedFor = 5000
/** Milliseconds that a notice waits: the first of many files is followed by others at once. */
const toldAfter = 2000

/** How many files of own links nobody has seen. */
export const unseenSlice = slice('unseenArrivals', () => ({ count: signal(0) }))

/** Follows the links of a person who may have some. */
export function followArrivals(workspace: Workspace): void {
  if (!workspace.may('share') || !workspace.may('create')) return
  const news = new ArrivalNews(workspace)
  void news.read()
  const joined = new Coalesced(workspace, joinedFor, () => news.read())
  workspace.onDispose(workspace.use(liveSlice).followNews('requests', () => joined.request()))
}

class ArrivalNews {
  readonly #workspace: Workspace
  /** Files by link, as far as they are told. */
  #known: ReadonlyMap<string, number> | undefined
  #isToldSoon = false

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  async read(): Promise<void> {
    const own = await this.#read()
    if (!own) return
    if (this.#newcomersOf(own).length === 0) this.#know(own)
    else if (!this.#isToldSoon) {
      this.#isToldSoon = true
      this.#workspace.timeout(() => void this.#tellAll(), toldAfter)
    }
  }

  async #tellAll(): Promise<void> {
    this.#isToldSoon = false
    const own = await this.#read()
    if (!own) return
    const newcomers = this.#newcomersOf(own)
    this.#know(own)
    await this.#tell(newcomers)
  }

  async #read(): Promise<readonly RequestLink[] | undefined> {
    const { signal, user } = this.#workspace
    const all = await allRequests(signal, true).catch(() => undefined)
    if (!all || signal.aborted) return undefined
    const own = all.filter(({ userID }) => userID === user.peek()?.id)
    this.#workspace.use(unseenSlice).count.value = own.reduce((sum, link) => sum + unseenOf(link), 0)
    return own
  }

  #know(own: readonly RequestLink[]) {
    this.#known = new Map(own.map(({ hash, files }) => [hash, files]))
  }

  /** What has arrived of which nothing is told. */
  #newcomersOf(own: readonly RequestLink[]): { link: RequestLink; count: number }[] {
    const before = this.#known
    if (!before) return []
    return own.flatMap((link) => {
      const count = link.files - (before.get(link.hash) ?? 0)
      return link.tells && count > 0 && unseenOf(link) > 0 ? [{ link, count }] : []
    })
  }

  async #tell(newcomers: readonly { link: RequestLink; count: number }[]) {
    const [first, ...others] = newcomers
    if (!first) return
    const notices = this.#workspace.use(noticesSlice)
    if (others.length > 0) {
      const count = newcomers.reduce((sum, one) => sum + one.count, 0)
      const action = { label: t('requests.show'), run: () => go('/settings/shares') }
      notices.succeed(t('requests.newsMany', { count }), { action })
      return
    }
    const { link, count } = first
    const list = await sendersOf(link.hash, this.#workspace.signal).catch(() => undefined)
    const [sender] = list?.senders ?? []
    const name = isolate(sender?.name === undefined ? t('requests.nameless') : visibleName(sender.name))
    const show = () => {
      if (sender?.path !== undefined) go(pageOf(sender.path, true).slice(baseURL.length))
      else this.#open(link)
    }
    notices.succeed(t('requests.news', { name, count }), { action: { label: t('requests.show'), run: show } })
  }

  #open({ path, name, hash }: RequestLink) {
    this.#workspace.use(overlaysSlice).open({ kind: 'requestFiles', folder: { path, name }, hash })
  }
}
