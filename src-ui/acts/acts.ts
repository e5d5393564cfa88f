// What the person did last, in all pages, as the server keeps it.
import { signal } from '@preact/signals-core'
import type { Act } from '../../src-server/contract/history.ts'
import { call } from '../api/http.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { slice, type Workspace } from '../core/workspace.ts'

/** The way an act goes: it is undone, or done again. */
export type Direction = 'undo' | 'redo'

export class Acts {
  readonly #workspace: Workspace
  /** The newest first, as they were when the server was asked last. */
  readonly list = signal<readonly Act[]>([])
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

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Asks the server for them. @throws HttpFailure */
  async refresh({ isBackground = false } = {}): Promise<void> {
    this.#lastQuestion += 1
    const question = this.#lastQuestion
    const { acts } = await call('GET /api/history', { signal: this.#workspace.signal, isBackground })
    // An answer may come after that to a later question.
    if (question < this.#lastAnswer) return
    this.#lastAnswer = question
    this.list.value = acts
  }

  /** Asks for what nobody waits for: a failure is not reported. */
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

  /** The next *Undo* is about the act before this one, unless this one is done again. */
  pass({ id }: Pick<Act, 'id'>, isPassed = true): void {
    const others = [...this.#passed.peek()].filter((one) => one !== id)
    this.#passed.value = new Set(isPassed ? [...others, id] : others)
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

/** Whether this person may change files here. */
export const mayChange = (workspace: Workspace): boolean => changes.some((right) => workspace.use(entryViewSlice).may(right))

export const actsSlice = slice('acts', (workspace) => new Acts(workspace))
