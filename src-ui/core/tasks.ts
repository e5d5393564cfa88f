import { computed, type Signal, signal } from '@preact/signals-core'
import { t } from '../i18n/t.ts'
import { isSignedOut, isUnreached } from './failure-reason.ts'
import { slice, type Workspace } from './workspace.ts'

/** A running operation that takes long. */
export type Task = Readonly<{
  label: string
  done: Signal<number>
  total: number
  /** Stops before the next item; undefined when there is only one. */
  stop: (() => void) | undefined
}>

/** What was not done with some of many items. */
export type Left<T> = {
  /** `name`: of what has failed in it, where the rest of it is done. */
  failed: { item: T; failure: unknown; name?: string }[]
  /** Those that were not begun, because it was stopped. */
  stopped: readonly T[]
}

/** Milliseconds after which a task is shown. */
export const taskDelay = 100

type Options = {
  label: string
  /** The number of items; with 1 neither the count nor a button to stop is shown. */
  total?: number
  /** Also stops the task. */
  stopping?: AbortController
}

/** What the page does for a person and takes long: what it is, how far, and how it is stopped. */
export class Tasks {
  readonly #workspace: Workspace
  /** The tasks that have run long enough to be shown. */
  readonly #shown = signal<readonly Task[]>([])
  /** The task that was started last. */
  readonly current = computed(() => this.#shown.value.at(-1))

  constructor(workspace: Workspace) {
    this.#workspace = workspace
  }

  /** Runs `work` and shows it when it takes long. @param label that something is loaded, unless given @param delay milliseconds */
  track<T>(work: () => Promise<T>, label = t('app.loading'), delay = taskDelay): Promise<T> {
    return this.#show({ label, done: signal(0), total: 1, stop: undefined }, work, delay)
  }

  /**
   * Does `work` with one item after the other and shows how many are done. A failure does not keep it from the next item, unless the
   * server was not reached: then all that is left fails with it. It begins no further one after it was stopped: by the person, by
   * `stopping`, or by the end of the workspace.
   * @throws what shows that the person is signed out
   */
  each<T>(
    items: readonly T[],
    work: (item: T) => Promise<unknown>,
    { label, total = items.length, stopping = new AbortController() }: Options,
  ): Promise<Left<T>> {
    const ended = AbortSignal.any([stopping.signal, this.#workspace.signal])
    const task = { label, done: signal(0), total, stop: total > 1 ? () => stopping.abort() : undefined }
    return this.#show(task, async () => {
      const failed: Left<T>['failed'] = []
      for (const [index, item] of items.entries()) {
        if (ended.aborted) return { failed, stopped: items.slice(index) }
        try {
          await work(item)
        } catch (failure) {
          if (isSignedOut(failure)) throw failure
          if (isUnreached(failure)) {
            failed.push(...items.slice(index).map((left) => ({ item: left, failure })))
            break
          }
          failed.push({ item, failure })
        }
        task.done.value += 1
      }
      return { failed, stopped: [] }
    })
  }

  async #show<T>(task: Task, work: () => Promise<T>, delay = taskDelay): Promise<T> {
    const clearTimer = this.#workspace.timeout(() => {
      this.#shown.value = [...this.#shown.value, task]
    }, delay)
    try {
      return await work()
    } finally {
      clearTimer()
      this.#shown.value = this.#shown.value.filter((one) => one !== task)
    }
  }
}

export const tasksSlice = slice('tasks', (workspace) => new Tasks(workspace))
