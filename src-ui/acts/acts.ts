// What the person did last, in all pages, as the server keeps it.
import { batch, signal } from '@preact/signals-core'
import type { Act } from '../../src-server/contract/history.ts'
import { call } from '../api/http.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { decision } from '../core/location.ts'
import { noticesSlice } from '../core/notices.ts'
import { slice, type Workspace } from '../core/workspace.ts'

/** The way an act goes: it is undone, or done again. */
export type Direction = 'undo' | 'redo'

/** Milliseconds within which a second press of a button belongs to the first. */
const doublePress = 600

export class Acts {
  readonly #workspace: Workspace
  /** The newest first, as they were when the server was asked last. */
  readonly list = signal<readonly Act[]>([])
  /** Why the server did not tell them when it was asked last. */
  readonly failure = signal<unknown>(undefined)
  /** Whether the server has told them. */
  readonly isKnown = signal(false)
  /** Whether they are listed in the panel of the transfers. */
  readonly isShown = signal(false)
  /** How many acts were undone or done again by this page. */
  readonly flips = signal(0)
  /** The notice that offers to undo the last act. */
  noticeId: number | undefined
  #lastQuestion = 0
  #lastAnswer = 0
  /** Acts that *Undo* leaves to those before: the person was told that they cannot be undone, or has undone what can be. */
  readonly #passed = signal<ReadonlySet<string>>(new Set())
  /** The ids of those that this page has undone, the last one last. */
  #undone: readonly string[] = []
  #work: Promise<unknown> = Promise.resolve()
  /** The act whose button was pressed last, and when. */
  #pressed = { id: '', at: 0, isBusy: false }

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Asks the server for them. @throws HttpFailure */
  async refresh({ isBackground = false } = {}): Promise<void> {
    this.#lastQuestion += 1
    const question = this.#lastQuestion
    const asked = call('GET /api/history', { signal: this.#workspace.signal, isBackground })
    const [answer] = await Promise.allSettled([asked])
    // An answer may come after that to a later question.
    if (question > this.#lastAnswer) {
      this.#lastAnswer = question
      batch(() => {
        if (answer.status === 'fulfilled') this.list.value = answer.value.acts
        this.isKnown.value = answer.status === 'fulfilled'
        this.failure.value = answer.status === 'rejected' ? answer.reason : undefined
      })
    }
    if (answer.status === 'rejected') throw answer.reason
  }

  /** Asks for what nobody waits for: a failure is only told where they are listed. */
  async refreshQuietly(): Promise<void> {
    if (this.#workspace.user.peek()) await this.refresh({ isBackground: true }).catch(() => undefined)
  }

  /** The act that is undone or done again next; undefined when there is none. It may be one that cannot be undone. */
  next(direction: Direction): Act | undefined {
    const { value: all } = this.list
    if (direction === 'undo') return all.find((act) => isToUndo(act) && !this.#passed.value.has(act.id))
    // Those that were undone one after the other come back in the other order.
    const last = this.#undone.at(-1)
    return all.find(({ id, mayRedo }) => mayRedo && id === last) ?? all.findLast(({ mayRedo }) => mayRedo)
  }

  /** Takes what an act is by now. */
  put(act: Act): void {
    this.list.value = this.list.peek().map((one) => (one.id === act.id ? act : one))
  }

  /** An act was undone or done again by this page. */
  noteFlip(act: Act, direction: Direction): void {
    this.put(act)
    const others = this.#undone.filter((id) => id !== act.id)
    this.#undone = direction === 'undo' ? [...others, act.id] : others
    this.flips.value += 1
  }

  /** Takes back the offer to undo the last act: its notice goes, unless that tells what has failed. */
  withdrawOffer(): void {
    const { list } = this.#workspace.use(noticesSlice)
    const id = this.noticeId
    this.noticeId = undefined
    if (id === undefined) return
    list.value = list.peek().flatMap((one) => {
      if (one.id !== id) return [one]
      return one.kind === 'error' ? [{ ...one, action: undefined }] : []
    })
  }

  /** The next *Undo* is about the act before this one, unless this one is done again. */
  pass({ id }: Pick<Act, 'id'>, isPassed = true): void {
    const others = [...this.#passed.peek()].filter((one) => one !== id)
    this.#passed.value = new Set(isPassed ? [...others, id] : others)
  }

  /**
   * Does what the button of an act is for, unless it was pressed a moment ago, or is at it still: the second click of a double click would
   * do the reverse.
   */
  async onPress({ id }: Pick<Act, 'id'>, work: () => Promise<void>): Promise<void> {
    const last = this.#pressed
    const now = this.#workspace.now()
    const isSecond = last.id === id && (last.isBusy || Math.abs(now - last.at) < doublePress)
    if (isSecond) {
      last.at = now
      return
    }
    const pressed = { id, at: now, isBusy: true }
    this.#pressed = pressed
    await this.inOrder(work).finally(() => {
      pressed.isBusy = false
    })
  }

  /** Does one thing after the other: the server takes one undo of a person at a time. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => undefined)
    return done
  }
}

/** What broke off while it was done again can only go on so. */
const isToUndo = ({ state, begun }: Act): boolean => state !== 'undone' && begun !== 'redo'

const changes = ['create', 'rename', 'modify', 'delete'] as const

const isTrashShown = (): boolean => 'show' in decision.value && decision.value.show === 'trash'

/** Whether this person may change files here, or what became of them in the trash. */
export function mayChange(workspace: Workspace): boolean {
  const entryView = workspace.use(entryViewSlice)
  return changes.some((right) => (isTrashShown() ? workspace.may(right) : entryView.may(right)))
}

export const actsSlice = slice('acts', (workspace) => new Acts(workspace))
