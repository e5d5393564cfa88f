// Uploads that broke off before this page, or that have no name yet. A lazy part.
import 'holdall:words/later'
import { computed, signal } from '@preact/signals-core'
import type { UnfinishedUpload } from '../../src-server/contract/uploads.ts'
import { chooseFiles } from '../api/choose-files.ts'
import { call, HttpFailure, type Refused } from '../api/http.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { nameOf, parentOf } from '../core/paths.ts'
import { presenceSlice } from '../core/presence.ts'
import { slice, type Workspace } from '../core/workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { isOf, markOf } from '../sending/file-mark.ts'
import { hashing } from '../sending/hashing.ts'
import { isNameTaken, ResumableUploads } from './resumable.ts'
import { copyName, isResumable, type UploadJob } from './upload-jobs.ts'
import { uploadsSlice } from './uploads-slice.ts'

/** How many numbered names are tried. */
const mostNames = 20

/** Milliseconds after which it is asked whether what is received from elsewhere still is, at first and at most: the page may be gone. */
const [firstPause, longestPause] = [1000, 30_000]

/** The width up to which the panel lies across the window. */
const narrow = '(max-width: 46em)'

const sha256 = hashing()

/** The uploads of large files of this page. */
export const resumableSlice = slice('resumable', () => new ResumableUploads(sha256))

export const unfinishedSlice = slice('unfinished', (workspace) => new UnfinishedUploads(workspace))

export class UnfinishedUploads {
  readonly #workspace: Workspace
  readonly #all = signal<readonly UnfinishedUpload[]>([])
  readonly #isHidden = signal(false)
  #pause = firstPause
  #stopAsking: (() => void) | undefined
  /** Those with which no page goes on at this moment. */
  readonly list = computed(() => {
    const { jobs } = this.#workspace.use(uploadsSlice).state.value
    return this.#all.value.filter((one) => !one.isReceiving && !this.#isOwn(one, jobs.length > 0))
  })
  readonly isShown = computed(() => this.list.value.length > 0 && !this.#isHidden.value)
  /** Whether they were hidden. */
  readonly mayShow = computed(() => this.list.value.length > 0 && this.#isHidden.value)

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Asks what there is, now, when the uploads of this page have ended, and when the person comes back to the page. */
  follow(): void {
    const { isUploading } = this.#workspace.use(uploadsSlice)
    const { returns } = this.#workspace.use(presenceSlice)
    let isFirst = true
    this.#workspace.effect(() => {
      void returns.value
      if (isUploading.value) return
      void this.refresh().then(() => {
        if (isFirst) this.#keepSmall()
        isFirst = false
      })
    })
  }

  /** In a narrow window the panel covers half of the listing, and nobody asked for it. */
  #keepSmall(): void {
    const { isUploading, isPanelOpen } = this.#workspace.use(uploadsSlice)
    if (this.isShown.value && !isUploading.value && matchMedia(narrow).matches) isPanelOpen.value = false
  }

  async refresh(): Promise<void> {
    const { signal } = this.#workspace
    const answer = await call('GET /api/uploads', { signal, isBackground: true }).catch(() => undefined)
    if (!answer) return
    const before = new Map(this.#all.peek().map((one) => [one.id, one]))
    this.#all.value = answer.uploads
    this.#stopAsking?.()
    const hasJobs = this.#workspace.use(uploadsSlice).state.peek().jobs.length > 0
    const isOthers = (one: UnfinishedUpload) => isMoving(one, before.get(one.id)) && !this.#isOwn(one, hasJobs)
    if (!answer.uploads.some(isOthers)) this.#pause = firstPause
    else {
      this.#stopAsking = this.#workspace.timeout(() => void this.refresh(), this.#pause)
      this.#pause = Math.min(longestPause, 2 * this.#pause)
    }
  }

  /** Whether this page shows it elsewhere, or removes it. */
  #isOwn({ id }: UnfinishedUpload, hasJobs: boolean): boolean {
    const own = this.#workspace.use(resumableSlice)
    return own.isUnwanted(id) || (hasJobs && own.has(id))
  }

  /** One of this page was removed from its list. */
  async left(job: UploadJob): Promise<void> {
    const own = this.#workspace.use(resumableSlice)
    await own.drop(job)
    if (!own.isDropping) await this.refresh()
  }

  hide(): void {
    this.#isHidden.value = true
  }

  show(): void {
    this.#isHidden.value = false
  }

  /** Asks for the file, and goes on with it; where its folder or its bytes are gone, it begins anew in a folder that is asked for. */
  async goOn(one: UnfinishedUpload): Promise<void> {
    const [file] = await chooseFiles()
    if (!file) return
    const mark = await markOf(file, sha256, this.#workspace.signal)
    if (!isOf(one, file, mark)) return this.#fail(t('uploads.otherFile', { name: isolate(nameOf(one.path)) }))
    const isGone = await this.#isGone(one)
    if (!isGone) return this.#send(one, file, parentOf(one.path))
    const onChoose = (folder: string) => void this.#send({ ...one, isGone }, file, folder)
    this.#workspace.use(overlaysSlice).open({ kind: 'chooseFolder', title: t('uploads.intoFolder'), from: '/', onChoose })
  }

  /** What has its name is replaced, or it gets a name of its own, or its name is asked for again. */
  async name(one: UnfinishedUpload, how: 'replace' | 'keepBoth' | 'again'): Promise<void> {
    try {
      if (how === 'keepBoth') await this.#nameByNumber(one)
      else await this.#nameBy(one, { override: how === 'replace' })
      void this.#workspace.use(entryViewSlice).refreshQuietly()
    } catch (failure) {
      this.#fail(t('uploads.failure', { name: isolate(nameOf(one.path)), cause: failureReason(failure) }))
    }
    await this.refresh()
  }

  async remove({ id, path }: UnfinishedUpload): Promise<void> {
    try {
      await call('DELETE /api/uploads/:id', { params: { id } })
    } catch (failure) {
      const isOver = failure instanceof HttpFailure && failure.status === 404
      if (!isOver) this.#fail(t('uploads.failure', { name: isolate(nameOf(path)), cause: failureReason(failure) }))
    }
    await this.refresh()
  }

  /**
   * Asks now: the list says what was found when somebody looked last. To begin anew unasked would make a folder that was deleted, and
   * remove what has come of a folder that was restored since.
   */
  #isGone({ id, isGone }: UnfinishedUpload): Promise<boolean> {
    return call('HEAD /api/uploads/:id', { params: { id }, signal: this.#workspace.signal }).then(
      () => false,
      (failure) => {
        const status = failure instanceof HttpFailure ? failure.status : 0
        // All of it is there, and refused its name.
        return [404, 410].includes(status) || (isGone && ![403, 412].includes(status))
      },
    )
  }

  async #send(one: UnfinishedUpload, file: File, folder: string): Promise<void> {
    // It cannot be gone on with, or is so small that it goes at once.
    if (one.isGone || !isResumable(file)) await this.remove(one)
    else this.#workspace.use(resumableSlice).choose(file, one.id)
    await this.#workspace.use(uploadsSlice).uploadDropped(folder, [[{ path: nameOf(one.path), file }]])
  }

  async #nameByNumber(one: UnfinishedUpload): Promise<void> {
    for (let number = 1; ; number++) {
      try {
        return await this.#nameBy(one, { name: nameOf(copyName(one.path, number)) })
      } catch (failure) {
        if (!isNameTaken(failure) || number === mostNames) throw failure
      }
    }
  }

  async #nameBy({ id }: UnfinishedUpload, body: Readonly<{ name?: string; override?: boolean }>): Promise<void> {
    await call('POST /api/uploads/:id/name', { params: { id }, body: { ...body } })
  }

  #fail(text: string): void {
    this.#workspace.use(noticesSlice).fail(text)
  }
}

/** Whether bytes come, or have come until now: another page may only wait for the server. */
const isMoving = ({ isReceiving, offset }: UnfinishedUpload, before: UnfinishedUpload | undefined): boolean =>
  isReceiving || before?.isReceiving === true || (before !== undefined && before.offset !== offset)

/** Why an upload of which all has arrived has no name, as a failure of other uploads says it. */
export function refusedAs({ code, message, refusal }: NonNullable<UnfinishedUpload['refused']>): Refused {
  return { status: isTaken({ code }) ? 409 : 403, message, ...(refusal && { refusal }) }
}

/** Whether something else has its name. */
export const isTaken = ({ code }: Pick<NonNullable<UnfinishedUpload['refused']>, 'code'>): boolean =>
  code === 'conflict' || code === 'changed'
