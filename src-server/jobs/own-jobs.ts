// The jobs of the person who calls.
import { Failure } from '../base/failure.ts'
import type { JobDetails, Job as JobReport, WhenTaken } from '../contract/jobs.ts'
import { type RefusalCode, refusalCodes } from '../contract/refusals.ts'
import type { Source } from '../events/events.ts'
import { accessOf } from '../users/access-revocation.ts'
import type { Identity } from '../users/sign-in.ts'
import type { Job } from './job.ts'
import type { JobRequest, Jobs } from './jobs.ts'
import { ownPath, questionOf, shownEntry } from './names.ts'
import type { FailedInside, Why } from './progress.ts'

type OwnJobsParts = Readonly<{ jobs: Jobs; me: Pick<Identity, 'user'>; source: Source }>

/** What may be done with a job. */
export type JobAct =
  | Readonly<{ action: 'pause' | 'resume' | 'continue' | 'cancel' | 'retry' }>
  | Readonly<{ action: 'answer'; question: string; taken: WhenTaken; all: boolean }>

export class OwnJobs {
  readonly #parts: OwnJobsParts

  constructor(parts: OwnJobsParts) {
    this.#parts = parts
  }

  /**
   * Begins a job. @returns when it has ended, or else is kept; `hasEnded` says which
   * @throws Failure('busy') when too many wait, Failure('conflict') when the id belongs to another job
   */
  async start(request: JobRequest): Promise<{ details: JobDetails; hasEnded: boolean }> {
    const { jobs, me, source } = this.#parts
    const job = await jobs.start(
      { access: accessOf(me.user), address: source.address, isAct: source.actKey !== undefined },
      request,
    )
    return { details: await detailsOf(job), hasEnded: job.isOver }
  }

  /** The newest first. */
  list(): JobReport[] {
    return this.#parts.jobs.of(this.#parts.me.user.id).map((job) => job.shown())
  }

  /** @throws Failure('notFound') */
  details(id: string): Promise<JobDetails> {
    return detailsOf(this.#find(id))
  }

  /** @throws Failure('notFound'), Failure('conflict') when the job is in no state for it, Failure('busy') when too many wait */
  async act(id: string, act: JobAct): Promise<JobReport> {
    const job = this.#find(id)
    if (act.action === 'pause') await job.pause()
    else if (act.action === 'cancel') await job.cancel()
    else if (act.action === 'retry') await job.retry()
    else if (act.action === 'answer') await job.answer(act.question, act.taken, act.all)
    else await job.resume()
    return job.shown()
  }

  /** Forgets a job that is over, and cancels one that is not. @throws Failure('notFound') */
  async remove(id: string): Promise<void> {
    const job = this.#find(id)
    if (job.isOver) await this.#parts.jobs.remove(job)
    else await job.cancel()
  }

  #find(id: string): Job {
    return this.#parts.jobs.find(this.#parts.me.user.id, id)
  }
}

async function detailsOf(job: Job): Promise<JobDetails> {
  const { record, progress } = await job.load()
  const nothing = { questions: [], failures: [], leftOut: [], renamed: [], values: [] }
  if (!record || !progress) return { ...job.shown(), ...nothing }
  const own = (path: string) => ownPath(path, record.scope)
  const pathOf = (entry: number) => shownEntry(record.kind, own(record.entries[entry] ?? '/'))
  const targetOf = (path: string) => `${record.to === undefined ? '' : own(record.to).replace(/\/$/, '')}/${nameIn(path)}`
  // Where none of a folder is named it is listed itself, for one of them.
  const moreOf = ({ entries, more }: FailedInside) => (entries.length > 0 ? more : Math.max(0, more - 1))
  const more = [...progress.failedInside.values()].reduce((sum, inside) => sum + moreOf(inside), 0)
  return {
    ...job.shown(),
    questions: [...progress.questions].map(([entry, at]) => {
      return {
        question: questionOf(entry, at),
        path: pathOf(entry),
        to: progress.askedNames.get(entry) ?? targetOf(pathOf(entry)),
      }
    }),
    failures: [...progress.failures].flatMap(([entry, why]) => {
      const of = pathOf(entry)
      const inside = progress.failedInside.get(entry)?.entries ?? []
      return inside.length > 0 ? inside.map((one) => ({ ...reasonOf(one), of })) : [reasonOf({ path: of, why })]
    }),
    ...(more > 0 && { moreFailures: more }),
    leftOut: [...progress.leftOut(job.isOver)].map(pathOf),
    renamed: [...progress.names]
      .filter(([entry, to]) => nameIn(to) !== nameIn(pathOf(entry)))
      .map(([entry, to]) => ({ path: pathOf(entry), to })),
    values: [...progress.values].map(([entry, value]) => ({ path: pathOf(entry), value })),
  }
}

function reasonOf({ path, why: { code, template, about } }: { path: string; why: Why }): JobDetails['failures'][number] {
  const refusal = (refusalCodes as Readonly<Record<string, RefusalCode>>)[template]
  const message = new Failure('internal', template, { about }).message
  return { path, code, message, ...(refusal && { refusal: { code: refusal, params: about } }) }
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
