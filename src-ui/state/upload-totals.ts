import type { Phase, UploadJob } from './upload-job.ts'

/** The whole queue in numbers: how many uploads are in each phase, and their bytes. */
export type Totals = Record<Phase, number> & {
  /** Bytes that have left, of `size`. What failed or was skipped counts in neither. */
  loaded: number
  size: number
}

export const noTotals: Totals = { waiting: 0, sending: 0, asking: 0, done: 0, failed: 0, skipped: 0, loaded: 0, size: 0 }

/** Adds a job to the totals, or takes it out with -1: whoever changes a job takes it out before and adds it after. */
export function count(totals: Totals, job: UploadJob, sign: 1 | -1): void {
  totals[job.phase] += sign
  if (job.phase === 'failed' || job.phase === 'skipped') return
  totals.size += sign * job.size
  totals.loaded += sign * job.loaded
}

/** How many uploads are not finished. */
export const unfinished = ({ waiting, sending, asking }: Totals): number => waiting + sending + asking

/** Loaded bytes over all bytes, rounded up. Where there are no bytes at all: 0 until everything is done. */
export function percentOf(totals: Totals): number {
  if (totals.size > 0) return Math.ceil((100 * totals.loaded) / totals.size)
  return totals.done > 0 && unfinished(totals) === 0 ? 100 : 0
}
