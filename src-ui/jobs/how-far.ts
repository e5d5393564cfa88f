// How far jobs are, as far as that is known.
import type { Job } from '../../src-server/contract/jobs.ts'
import { isActive, isTransfer } from './job-words.ts'

/** Whether more than nothing is known of how far a job is: of a single folder nothing after a restart of the server. */
export const isPartKnown = (job: Job): boolean => isActive(job) || (job.progress ? !job.progress.isCounting : job.entries > 1)

/** Of all that is at work; undefined while that is not known of one of them. */
export function percentOf(jobs: readonly Job[]): number | undefined {
  let [sum, count] = [0, 0]
  for (const job of jobs) {
    if (!isActive(job)) continue
    const part = partOf(job)
    if (part === undefined) return undefined
    sum += part
    count++
  }
  return count === 0 ? undefined : Math.floor((100 * sum) / count)
}

/** Bytes of all that is at work, and the seconds that are left; undefined where one of them has none. */
export function sumOf(jobs: readonly Job[]): { bytes: number; ofBytes: number; left: number | undefined } | undefined {
  const active = jobs.filter((job) => isActive(job))
  const all = active.map(({ progress }) => progress)
  const isKnown = all.length > 0 && active.every(({ kind, progress }) => isTransfer(kind) && progress?.ofBytes !== undefined)
  if (!isKnown) return undefined
  const total = (of: 'bytes' | 'ofBytes') => all.reduce((sum, one) => sum + (one?.[of] ?? 0), 0)
  const isLeftKnown = all.every((one) => one?.left !== undefined)
  const left = isLeftKnown ? Math.max(...all.map((one) => one?.left ?? 0)) : undefined
  return { bytes: total('bytes'), ofBytes: total('ofBytes'), left }
}

/** How much of a job is done, from 0 to 1; undefined while it is counted how much there is. */
export function partOf({ kind, progress, entries, done, failed, skipped }: Job): number | undefined {
  if (progress?.isCounting) return undefined
  const { files, ofFiles = 0, bytes, ofBytes = 0 } = progress ?? {}
  if (isTransfer(kind) && bytes !== undefined && ofBytes > 0) return Math.min(1, bytes / ofBytes)
  if (files !== undefined && ofFiles > 0) return Math.min(1, files / ofFiles)
  return (done + failed + skipped) / Math.max(1, entries)
}
