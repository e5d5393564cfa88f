import { signal } from '@preact/signals-core'
import { slice } from './workspace.ts'

export type Notice = {
  id: number
  kind: 'success' | 'error'
  text: string
  /** A second line: the reason, and what to do. */
  detail: string | undefined
  /** A button in the notice. */
  action: NoticeAction | undefined
  /** Whether a success stays until it is closed. */
  isLasting?: boolean | undefined
  /** Whether what is told is no success. */
  isNeutral?: boolean | undefined
  /** What has failed: such a notice goes when that is tried again. */
  of?: FailureOf | undefined
}

/** `act`: the key of the act, or the id of its job. `tried`: each thing that has failed, such as the delete of a path. */
export type FailureOf = Readonly<{ act?: string | undefined; tried?: readonly string[] }>

export type NoticeAction = { label: string; run: () => void }
type Rest = {
  detail?: string
  action?: NoticeAction | undefined
  isLasting?: boolean
  isNeutral?: boolean
  of?: FailureOf | undefined
}

/** How long a success is shown, in milliseconds. An error stays until it is closed. */
export const noticeTime = 1000
/** How long a success with a button is shown, in milliseconds. */
export const noticeActionTime = 8000

/** Makes a text differ from the last one; it is neither seen nor read. */
const silentSuffix = '\u00a0'

/** The messages for the user. */
export class Notices {
  /** The notices that are shown, oldest first. */
  readonly list = signal<readonly Notice[]>([])
  /** For screen readers only, not visible: selection counts, sorting, navigation. */
  readonly announcement = signal('')
  #lastId = 0

  /** Reports a success, in a few words. @returns the id that `dismiss` takes */
  succeed(text: string, rest?: Rest): number {
    return this.#show('success', text, rest)
  }

  /** Reports a failure: what was not done, then why. @returns the id that `dismiss` takes */
  fail(text: string, detail?: string, action?: NoticeAction, of?: FailureOf): number {
    return this.#show('error', text, { ...(detail === undefined ? {} : { detail }), action, of })
  }

  /** Takes away what was told of the failure of something that is tried again, or was: what comes of it is told anew. */
  dismissFailures({ act, tried = [] }: FailureOf): void {
    const all = new Set(tried)
    const isOf = ({ of }: Notice) =>
      (act !== undefined && of?.act === act) ||
      (of?.tried !== undefined && of.tried.length > 0 && of.tried.every((one) => all.has(one)))
    for (const { id } of this.list.peek().filter(isOf)) this.dismiss(id)
  }

  /** Takes a notice away, if it is still shown. */
  dismiss(id: number): void {
    const others = this.list.peek().filter((notice) => notice.id !== id)
    if (others.length < this.list.peek().length) this.list.value = others
  }

  /** Announces a text to screen readers. The same text twice is made different, because an unchanged region is not read again. */
  announce(text: string): void {
    this.announcement.value = this.announcement.peek() === text ? `${text}${silentSuffix}` : text
  }

  #show(kind: Notice['kind'], text: string, { detail, action, ...rest }: Rest = {}): number {
    this.#lastId += 1
    const isSame = (notice: Notice) => notice.kind === kind && notice.text === text && notice.detail === detail
    // An equal notice is replaced, so that a queue that fails does not fill the page.
    const others = this.list.value.filter((notice) => !isSame(notice))
    this.list.value = [...others, { id: this.#lastId, kind, text, detail, action, ...rest }]
    return this.#lastId
  }
}

export const noticesSlice = slice('notices', () => new Notices())
