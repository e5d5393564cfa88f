import { computed, signal } from '@preact/signals-core'
import type { Share } from '../../src-server/contract/shares.ts'
import { failureReason, isSignedOut, isUnreached, unlessGone } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { type Left, tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { t } from '../i18n/t.ts'
import { isOfKind, type LinkKind, linkKinds, matches } from './find-links.ts'
import { allShares, deleteShare, followShares } from './share-calls.ts'

/** Rows that are drawn at a time: an administrator may see thousands. */
const pageSize = 100

/** The links of the page about all links: which of them are shown, and which are selected. */
export class ManagedLinks {
  readonly links = signal<readonly Share[]>([])
  readonly kind = signal<LinkKind>('all')
  readonly text = signal('')
  readonly #chosen = signal<ReadonlySet<string>>(new Set())
  readonly #pages = signal(1)
  readonly isBusy = signal(false)
  readonly #workspace: Workspace

  /** The links that fit the filter. */
  readonly found = computed(() => this.links.value.filter((share) => this.#isOf(share, this.kind.value) && this.#fits(share)))
  /** Those of them that are drawn. */
  readonly shown = computed(() => this.found.value.slice(0, this.#pages.value * pageSize))
  /** What is not shown is not selected. */
  readonly selected = computed(() => this.found.value.filter(({ hash }) => this.#chosen.value.has(hash)))

  constructor(workspace: Workspace, links: readonly Share[]) {
    this.#workspace = workspace
    this.links.value = links.toSorted(newestFirst)
  }

  /** Shows what changes elsewhere. What is selected stays so while it is there. @returns a function that ends it */
  follow(): () => void {
    return followShares(this.#workspace, allShares, (links) => {
      // The deletion tells itself what is left.
      if (!this.isBusy.peek()) this.links.value = links.toSorted(newestFirst)
    })
  }

  /** The kinds that there are links of, with their numbers. *All* is always there. */
  counts(): readonly (readonly [kind: LinkKind, count: number])[] {
    const isAdmin = this.#workspace.may('admin')
    return linkKinds
      .filter((kind) => isAdmin || kind !== 'mine')
      .map((kind) => [kind, this.links.value.filter((share) => this.#isOf(share, kind)).length] as const)
  }

  filter(changes: { kind?: LinkKind; text?: string }): void {
    if (changes.kind) this.kind.value = changes.kind
    if (changes.text !== undefined) this.text.value = changes.text
    this.#pages.value = 1
  }

  showMore(): void {
    this.#pages.value += 1
  }

  choose(hashes: readonly string[], isChosen: boolean): void {
    const chosen = new Set(this.#chosen.value)
    for (const hash of hashes) {
      if (isChosen) chosen.add(hash)
      else chosen.delete(hash)
    }
    this.#chosen.value = chosen
  }

  /** Shows a link as it is now. */
  replace(changed: Share): void {
    this.links.value = this.links.value.map((share) => (share.hash === changed.hash ? changed : share))
  }

  /** Deletes links one after the other; those that stay are said. @param stopping keeps the remaining ones */
  async remove(links: readonly Share[], stopping: AbortController): Promise<void> {
    const notices = this.#workspace.use(noticesSlice)
    const gone = new Set<string>()
    const remove = async ({ hash }: Share) => {
      await deleteShare(hash).catch(unlessGone)
      gone.add(hash)
    }
    this.isBusy.value = true
    try {
      const ended = await this.#workspace
        .use(tasksSlice)
        .each(links, remove, { label: t('shares.deleting'), total: 1, stopping })
        .catch(unlessSignedOut)
      for (const hash of await this.#goneAmong(ended.failed)) gone.add(hash)
      const failed = ended.failed.filter(({ item }) => !gone.has(item.hash))
      this.links.value = this.links.value.filter(({ hash }) => !gone.has(hash))
      this.choose([...gone], false)
      if (gone.size > 0) notices.succeed(gone.size === 1 ? t('shares.deleted') : t('shares.deletedMany', { count: gone.size }))
      const [first] = failed
      if (first) notices.fail(t('shares.notDeletedMany', { count: failed.length }), failureReason(first.failure))
    } finally {
      this.isBusy.value = false
    }
  }

  /** Those that are deleted although the answer was lost, as far as the links can be read. */
  async #goneAmong(failed: Left<Share>['failed']): Promise<string[]> {
    if (!failed.some(({ failure }) => isUnreached(failure))) return []
    const left = await allShares(this.#workspace.signal).catch(() => undefined)
    const present = new Set((left ?? this.links.peek()).map(({ hash }) => hash))
    return failed.map(({ item }) => item.hash).filter((hash) => !present.has(hash))
  }

  #isOf(share: Share, kind: LinkKind) {
    return isOfKind(share, kind, { ownId: this.#workspace.user.value?.id })
  }

  #fits(share: Share) {
    return this.text.value.trim() === '' || matches(share, this.text.value.trim())
  }
}

const newestFirst = (one: Share, other: Share): number => other.created - one.created || one.name.localeCompare(other.name)

/** Then nothing more is said: the person knows. */
function unlessSignedOut(failure: unknown): Pick<Left<Share>, 'failed'> {
  if (!isSignedOut(failure)) throw failure
  return { failed: [] }
}
