// What a job is made of.
import type { Clock } from '../base/clock.ts'
import { Failure } from '../base/failure.ts'
import type { Limiter } from '../base/limiter.ts'
import type { Cancel, Operation } from '../base/operation.ts'
import type { LimitedKind } from '../contract/endpoint.ts'
import type { Job as JobReport, JobState } from '../contract/jobs.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { JobHead, JobLine, JobRecord, JobStore } from '../state/job-store.ts'
import type { AccountView } from '../state/views.ts'
import type { AccessRevocation } from '../users/access-revocation.ts'
import type { Job } from './job.ts'
import type { JobRights } from './job-rights.ts'
import type { UndoAct } from './kinds.ts'
import { clientIdOf, ownRequest, type RunRequest } from './names.ts'
import type { JobProgress } from './progress.ts'
import type { Scheduler } from './scheduler.ts'
import type { KeptSums } from './tally.ts'

export type Stop = 'pause' | Cancel | 'end of the server'

export const resting: readonly JobState[] = ['paused', 'asking', 'interrupted', 'cancelled', 'ended']
export const over: readonly JobState[] = ['cancelled', 'ended']

/** Cancelled jobs at a time that end what they had begun before. One of them may wait for a disk that does not answer. */
export const mostEnds = { inAll: 8, ofOne: 2 }

export type JobParts = Readonly<{
  store: JobStore
  scheduler: Scheduler
  /** Bounds the ends of what was cancelled at rest, which wait for no place. */
  ends: Limiter<number>
  revocation: Pick<AccessRevocation, 'holdPerson'>
  /** The operation owns the disk. */
  filesOf(view: AccountView, operation: Operation, source: Source): UserFiles
  enter(kind: LimitedKind, person: number, operation: Operation): Promise<unknown>
  /** Undoes an act, or does it again. @param how.hasBegun the same job may have done it already */
  undo: RunParts['undo']
  /** The folders that undoing an act changes; paths of the served root. */
  placesOf(userId: number, act: string): Promise<string[]>
  /**
   * A job that was too short to be kept may have done something before the server was started, and what it was to do is not known.
   * @throws Failure('conflict') then
   */
  checkNew(userId: number, actKey: string): Promise<void>
  /** Of paths of the served root: the devices, each once, and the first path on each, found without asking them. */
  devicesOf(paths: readonly string[]): string[]
  onePerDevice(paths: readonly string[]): string[]
  /** Milliseconds: since the epoch, and of a clock that is not set. */
  clock: Clock
  onChange(job: Job): void
  /** Called when it runs or waits for places again. */
  onStart(job: Job): void
  /** Called when a job rests: it waits for a person, or has ended. */
  onRest(job: Job): void
  report(error: unknown): void
}>

export type RunParts = Readonly<{
  request: RunRequest
  progress: JobProgress
  /** Stops it. What was begun then stays without an outcome. */
  signal: AbortSignal
  /** The files with the rights of this moment, which the operation owns. @throws Failure when there are none any more */
  filesNow(operation: Operation): UserFiles
  /** Waits for a place among work of a kind. */
  enter(kind: LimitedKind, operation: Operation): Promise<unknown>
  undo: UndoAct
  /** @param isDurable whether it survives a power failure as soon as this resolves */
  log(lines: readonly JobLine[], isDurable: boolean): Promise<void>
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds of a clock that is not set, and calls later. */
  clock: Pick<Clock, 'elapsed' | 'after'>
  /** What the runs of the job leave to each other, in memory. */
  sums: { kept?: KeptSums | undefined; atRest?: JobReport['progress'] }
  /** Told of errors that are none of a person. */
  report(error: unknown): void
  onChange(): void
}>

/** What a run needs of its job, whatever it comes to. */
export function runPartsOf(
  { filesOf, enter, undo, clock, report }: JobParts,
  { userId, key, scope }: JobHead,
  record: JobRecord,
  rights: JobRights,
): Pick<RunParts, 'request' | 'filesNow' | 'enter' | 'undo' | 'now' | 'clock' | 'report'> {
  const source = { address: record.address, way: 'job', ...(record.isAct && { actKey: clientIdOf(key) }) } as const
  return {
    request: ownRequest(record, scope),
    filesNow: (operation) => filesOf(rights.viewFor(operation), operation, source),
    enter: (limit, operation) => enter(limit, userId, operation),
    ...{ undo, clock, report, now: () => clock.now() },
  }
}

export const isRetried = (line: JobLine): boolean => 'retried' in line

export const notNow = () => new Failure('conflict', 'the job is in another state')

/** @throws Failure('busy') */
export function stillEnding(): never {
  throw new Failure('busy', 'what its job had begun is still being looked at', { retryAfter: 2 })
}
