import { computed, signal } from '@preact/signals-core'

/** Something that was asked for and takes a while: what, and how much of it is done. */
export type Work = {
  label: string
  done: number
  total: number
  /** Leaves out what is not begun yet; undefined where there is nothing to leave out. */
  stop: (() => void) | undefined
}

/** After which time, in milliseconds, one is told that something is being done. */
export const workPatience = 100

const shown = signal<readonly Work[]>([])

/** What is being done and lasts long enough to be shown: the last that was asked for. */
export const working = computed(() => shown.value.at(-1))

type Asked = {
  label: string
  total?: number
  /** Stops it from elsewhere too. */
  stopping?: AbortController
}

/** Does something, and says so once it lasts. `work` calls `step` after each of the `total`, and begins no more once it is to stop. */
export async function during<T>(
  { label, total = 1, stopping = new AbortController() }: Asked,
  work: (step: () => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  let now: Work = { label, done: 0, total, stop: total > 1 ? () => stopping.abort() : undefined }
  const timer = setTimeout(() => {
    shown.value = [...shown.value, now]
  }, workPatience)
  const step = () => {
    const next = { ...now, done: now.done + 1 }
    if (shown.value.includes(now)) shown.value = shown.value.map((one) => (one === now ? next : one))
    now = next
  }
  try {
    return await work(step, stopping.signal)
  } finally {
    clearTimeout(timer)
    if (shown.value.includes(now)) shown.value = shown.value.filter((one) => one !== now)
  }
}
