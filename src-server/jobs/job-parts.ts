// What a job is made of.
import type { Clock } from '../base/clock.ts'
import type { Cancel, Operation } from '../base/operation.ts'
import type { LimitedKind } from '../contract/endpoint.ts'
import type { JobState } from '../contract/jobs.ts'
import type { Source } from '../events/events.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { JobStore } from '../state/job-store.ts'
import type { AccountView } from '../state/views.ts'
import type { AccessRevocation } from '../users/access-revocation.ts'
import type { Job } from './job.ts'
import type { RunParts } from './job-run.ts'
import type { Scheduler } from './scheduler.ts'

export type Stop = 'pause' | Cancel | 'end of the server'

export const resting: readonly JobState[] = ['paused', 'asking', 'interrupted', 'cancelled', 'ended']
export const over: readonly JobState[] = ['cancelled', 'ended']

export type JobParts = Readonly<{
  store: JobStore
  scheduler: Scheduler
  revocation: Pick<AccessRevocation, 'holdPerson'>
  /** The operation owns the disk. */
  filesOf(view: AccountView, operation: Operation, source: Source): UserFiles
  enter(kind: LimitedKind, person: number, operation: Operation): Promise<unknown>
  /** Undoes an act, or does it again. @param how.hasBegun the same job may have done it already */
  undo: RunParts['undo']
  /** The folders that undoing an act changes; paths of the served root. */
  placesOf(userId: number, act: string): Promise<string[]>
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
