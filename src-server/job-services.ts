// Builds the jobs. Called by `services.ts`.
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { FilesOf } from './access-services.ts'
import type { Limits } from './api/limits.ts'
import type { Clock } from './base/clock.ts'
import { Failure } from './base/failure.ts'
import type { Progress } from './base/operation.ts'
import { deviceFinder, devicesOfPaths } from './disk/mounts.ts'
import type { History } from './history/history.ts'
import { OwnHistory } from './history/own-history.ts'
import { Jobs } from './jobs/jobs.ts'
import { Scheduler } from './jobs/scheduler.ts'
import type { Options } from './options/options.ts'
import { JobFiles } from './state/job-files.ts'
import type { State } from './state/state.ts'
import type { AccessRevocation } from './users/access-revocation.ts'

type JobServices = Readonly<{
  options: Options
  state: State
  filesOf: FilesOf
  revocation: AccessRevocation
  limits: Limits
  history: History
  clock: Clock
  log: FastifyBaseLogger
  /** Tests name the devices of paths of the served root. */
  jobDevices?: ((paths: readonly string[]) => string[]) | undefined
}>

/** The jobs of all persons, as they were left. Those of who is deleted go. */
export async function openJobs(services: JobServices) {
  const { options, state, filesOf, limits, history, clock, log, jobDevices } = services
  const store = new JobFiles({
    stateFile: options.database,
    report: (path, error) => log.warn({ err: error }, `${path} is no job that can be read`),
  })
  const report = (error: unknown) => log.error({ err: error }, 'a job could not go on')
  const startedAt = clock.now()
  const devicesOf = jobDevices ?? ((paths) => devicesOfPaths(paths.map((path) => join(options.root, path))))
  const jobs = new Jobs({
    ...{ store, clock, revocation: services.revocation, instance: state.instance },
    scheduler: new Scheduler(clock),
    filesOf: (me, operation, source) => filesOf({ me, operation, source }),
    undo: async (files, { act, redo, rest, hasBegun }, operation) => {
      const own = new OwnHistory({ history, userId: files.userId, deeds: files.deeds })
      const job = { signal: operation.signal, report: (progress: Progress) => operation.report(progress) }
      // The job says by the answer that nothing was changed.
      const { isChanged: _, ...undone } = await own.undo(act, redo ? 'redo' : 'undo', { rest, job, hasBegun })
      return undone
    },
    enter: (kind, person, operation) => limits.enter(kind, person, operation),
    devicesOf,
    onePerDevice: (paths) => {
      const find = jobDevices ? (path: string) => jobDevices([path])[0] ?? '' : deviceFinder()
      return firstOf(paths, (path) => find(jobDevices ? path : join(options.root, path)))
    },
    placesOf: (userId, act) => placesOf(history, userId, act),
    checkNew: async (userId, key) => {
      // A history that cannot be read keeps nobody from working.
      const acts = await history.acts(userId).catch(() => [])
      if (acts.some((act) => act.key === key && act.startedAt < startedAt))
        throw new Failure('conflict', 'this was begun before the server was started again')
    },
    // What a job does can be undone once it rests.
    onTurn: (userId) => history.tellChanged(userId),
    report,
  })
  history.setJobs(jobs)
  await jobs.open()
  const removePerson = (id: number) => void jobs.removePerson(id).catch(report)
  const end = state.feed.listen(['user'], (news) => {
    for (const one of news) if (one.kind === 'user' && !one.after) removePerson(Number(one.id))
  })
  // Whose deletion came just before the server ended.
  for (const id of jobs.persons()) if (!(await state.userById(id))) removePerson(id)
  const close = async () => {
    end()
    await jobs.close()
  }
  return { jobs, close }
}

/** The first path on each device. */
function firstOf(paths: readonly string[], deviceOf: (path: string) => string): string[] {
  const found = new Map<string, string>()
  for (const path of paths) {
    const device = deviceOf(path)
    if (!found.has(device)) found.set(device, path)
  }
  return [...found.values()]
}

/** Folders in which an act has changed something. */
async function placesOf(history: History, userId: number, act: string): Promise<string[]> {
  const lines = (await history.deeds(userId, [act])).get(act) ?? []
  return [...new Set(lines.flatMap(({ is }) => ('from' in is ? [is.at, is.from] : [is.at])).map(folderOf))]
}

const folderOf = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf('/')))
