import { computed, effect, signal, untracked } from '@preact/signals-core'
import type { Share } from '../../src-server/contract/shares.ts'
import { HttpFailure } from '../api/http.ts'
import type { Entry, Item } from '../core/entries.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason, isSignedOut, unlessGone } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { presentItems } from '../core/present-items.ts'
import { tasksSlice } from '../core/tasks.ts'
import type { Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { changesOf, draftOf, type EditDraft } from './edited-link.ts'
import { isTooShort, type LinkDraft, type LinkProblems, newDraft, problemsOf, toNewLink } from './new-link.ts'
import { changeShare, createShare, deleteShare, followShares, sharesOf } from './share-calls.ts'

/** What the dialog shows. */
export type Mode = 'loading' | 'links' | 'new' | 'edit' | 'ready'

/** The public links of an entry, and the form of a new one. */
export class ShareLinks {
  readonly mode = signal<Mode>('loading')
  readonly links = signal<readonly Share[]>([])
  readonly draft = signal(newDraft(true))
  readonly problems = signal<LinkProblems>({})
  readonly isBusy = signal(false)
  /** The link that was made last, and its password, which is not shown again. */
  readonly made = signal<{ share: Share; password: string } | undefined>(undefined)
  /** The link that is changed, or was changed last, and its form. */
  readonly edited = signal<{ share: Share; draft: EditDraft } | undefined>(undefined)
  readonly entry: Entry
  /** The entry as it is now; undefined when somebody else has renamed, moved or deleted it. */
  readonly present = computed<Item | undefined>(() => presentItems(this.#workspace.use(entryViewSlice), [this.entry])[0])
  readonly #workspace: Workspace
  /** How many changes of this dialog the server has made. */
  #changes = 0

  constructor(workspace: Workspace, entry: Entry) {
    this.#workspace = workspace
    this.entry = entry
  }

  /** Whether a permanent link can be made: only when this person has none of this entry, apart from one of what is in the trash. */
  get mayBePermanent(): boolean {
    const ownId = this.#workspace.user.value?.id
    return !this.links.value.some(({ userID, expire, inTrash }) => userID === ownId && expire === 0 && !inTrash)
  }

  /** Reads the links. Where there is none the form of a new one is shown. @returns false when they could not be read */
  async load(stop: AbortSignal): Promise<boolean> {
    try {
      const load = () => sharesOf(this.entry.path, stop)
      const links = await this.#workspace.use(tasksSlice).track(load)
      if (stop.aborted) return true
      this.links.value = links
      if (links.length > 0) this.mode.value = 'links'
      else this.begin()
      return true
    } catch (failure) {
      if (!stop.aborted) this.#fail(t('shares.loadFailed'), failure)
      return stop.aborted
    }
  }

  /** Shows what changes elsewhere. @param end called when the entry is gone @returns a function that ends it */
  follow(end: () => void): () => void {
    const endings = [this.#followLinks(), this.#followEntry(end)]
    return () => {
      for (const ending of endings) ending()
    }
  }

  /** A link that was just made, or is changed, has another address than its entry, and follows it. */
  #followEntry(end: () => void): () => void {
    return effect(() => {
      const isNeeded = this.mode.value !== 'ready' && this.mode.value !== 'edit'
      if (!isNeeded || this.isBusy.value || this.present.value) return
      untracked(() => {
        end()
        const name = isolate(visibleName(this.entry.name))
        this.#workspace.use(noticesSlice).fail(t('prompts.rename.gone', { name }))
      })
    })
  }

  #followLinks(): () => void {
    let changesBefore = 0
    const read = (signal: AbortSignal) => {
      changesBefore = this.#changes
      return sharesOf(this.entry.path, signal)
    }
    return followShares(this.#workspace, read, (links) => {
      const mode = this.mode.peek()
      // What was read before an own change is older than what is shown.
      if (mode === 'loading' || this.isBusy.peek() || changesBefore !== this.#changes) return
      // Where this person has deleted the last link the list says so, and keeps the focus.
      const hadLinks = this.links.peek().length > 0
      this.links.value = links
      if (mode === 'links' && hadLinks && links.length === 0) this.begin()
    })
  }

  /** Shows the form of a new link. */
  begin(): void {
    this.edited.value = undefined
    this.draft.value = newDraft(this.mayBePermanent)
    this.problems.value = {}
    this.mode.value = 'new'
  }

  change(changes: Partial<LinkDraft>): void {
    this.draft.value = { ...this.draft.value, ...changes }
    this.problems.value = {}
  }

  /** Makes the link of the form, and shows it. */
  async create(): Promise<void> {
    const draft = this.draft.value
    const problems = problemsOf(draft)
    this.problems.value = problems ?? {}
    if (problems) return
    await this.#attempt(t('shares.notCreated'), async () => {
      const share = await createShare(this.entry.path, toNewLink(draft))
      this.links.value = [...this.links.value.filter(({ hash }) => hash !== share.hash), share]
      this.made.value = { share, password: draft.password }
      this.mode.value = 'ready'
    })
  }

  /** Shows the form of a link. */
  edit(share: Share): void {
    this.edited.value = { share, draft: draftOf(share) }
    this.mode.value = 'edit'
  }

  /** Shows the links again. */
  cancelEdit(): void {
    this.mode.value = 'links'
  }

  /** Stores the form of the link, and shows the links again. */
  async save(): Promise<void> {
    const edited = this.edited.value
    if (!edited) return
    if (isTooShort(edited.draft.password)) {
      this.edited.value = { ...edited, draft: { ...edited.draft, isRefused: true } }
      return
    }
    await this.#attempt(t('shares.notSaved'), async () => {
      const changed = await changeShare(edited.share, changesOf(edited.share, edited.draft))
      this.links.value = this.links.value.map((share) => (share.hash === changed.hash ? changed : share))
      this.#workspace.use(noticesSlice).succeed(t('shares.saved'))
      this.mode.value = 'links'
    })
  }

  /** Deletes a link. @returns whether it is gone */
  async remove({ hash }: Share): Promise<boolean> {
    return this.#attempt(t('shares.notDeleted'), async () => {
      await deleteShare(hash).catch(unlessGone)
      this.links.value = this.links.value.filter((share) => share.hash !== hash)
      this.#workspace.use(noticesSlice).succeed(t('shares.deleted'))
    })
  }

  async #attempt(failed: string, work: () => Promise<void>): Promise<boolean> {
    if (this.isBusy.value) return false
    this.isBusy.value = true
    try {
      await work()
      this.#changes += 1
      return true
    } catch (failure) {
      this.#fail(failed, failure)
      return false
    } finally {
      this.isBusy.value = false
    }
  }

  #fail(what: string, failure: unknown): void {
    if (isSignedOut(failure)) return
    const isConflict = failure instanceof HttpFailure && failure.status === 409
    this.#workspace.use(noticesSlice).fail(what, isConflict ? t('shares.conflict') : failureReason(failure))
  }
}
