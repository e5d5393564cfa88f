import { computed, signal } from '@preact/signals-core'

/** Something that was asked for and takes a while: what, and how much of it is done. */
export type Task = {
  label: string
  done: number
  total: number
  /** Leaves out what is not begun yet; undefined where there is nothing to leave out. */
  stop: (() => void) | undefined
}

/** After which time, in milliseconds, one is told that something is being done. */
export const taskDelay = 100

const tasks = signal<readonly Task[]>([])

/** What is being done and lasts long enough to be shown: the last that was asked for. */
export const currentTask = computed(() => tasks.value.at(-1))

type Asked = {
  label: string
  total?: number
  /** Stops it from elsewhere too. */
  stopping?: AbortController
}

/** Does something, and says so once it lasts. `work` calls `step` after each of the `total`, and begins no more once it is to stop. */
export async function trackTask<T>(
  { label, total = 1, stopping = new AbortController() }: Asked,
  work: (step: () => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let now: Task = { label, done: 0, total, stop: total > 1 ? () => stopping.abort() : undefined }
  const timer = setTimeout(() => {
    tasks.value = [...tasks.value, now]
  }, taskDelay)
  const step = () => {
    const next = { ...now, done: now.done + 1 }
    if (tasks.value.includes(now)) tasks.value = tasks.value.map((one) => (one === now ? next : one))
    now = next
  }
  try {
    return await work(step, stopping.signal)
  } finally {
    clearTimeout(timer)
    if (tasks.value.includes(now)) tasks.value = tasks.value.filter((one) => one !== now)
  }
}
