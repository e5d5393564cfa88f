import { signal } from '@preact/signals-core'

export type Notice = {
  id: number
  kind: 'success' | 'error'
  text: string
  /** A second line: why, and what to do. */
  detail: string | undefined
  /** What can be done about it, in a word. */
  action: NoticeAction | undefined
}

export type NoticeAction = { label: string; run: () => void }
type Rest = { detail?: string; action?: NoticeAction | undefined }

/** How long good news stays, in milliseconds. Bad news stays until it is closed. */
export const noticeTime = 1000
/** How long it stays when there is something to press, in milliseconds. */
export const noticeActionTime = 8000

/** The notices in view, oldest first. */
export const notices = signal<readonly Notice[]>([])
/** What a screen reader is told and nobody sees: selection counts, sorting, navigation. */
export const announcement = signal('')

/** Makes a text another one, and is neither seen nor read. */
const unheard = '\u00a0'

let last = 0

/** It worked, in a few words. @returns what `dismiss` knows it by */
export const succeed = (text: string, rest?: Rest): number => show('success', text, rest)

/** It did not work: what, then why. */
export function fail(text: string, detail?: string): void {
  show('error', text, detail === undefined ? {} : { detail })
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

/** Says it to a screen reader, also when it is what was said last: a region that stays the same is not read again. */
export function announce(text: string): void {
  announcement.value = announcement.value === text ? `${text}${unheard}` : text
}

function show(kind: Notice['kind'], text: string, { detail, action }: Rest = {}): number {
  last += 1
  const same = (notice: Notice) => notice.kind === kind && notice.text === text && notice.detail === detail
  // The same sentence twice is one notice, the newest: a failing queue does not paper the wall.
  notices.value = [...notices.value.filter((notice) => !same(notice)), { id: last, kind, text, detail, action }]
  return last
}
