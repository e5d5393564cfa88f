// Jobs on a disk in memory, which a test can stop at any step as a kill does.
import type { TestContext } from 'node:test'
import { Ends } from '../../src-server/base/ends.ts'
import { parsePath } from '../../src-server/base/paths.ts'
import type { Disk, HiddenTree } from '../../src-server/disk/disk.ts'
import { principalOf } from '../../src-server/files/principal-of.ts'
import type { UserFilesParts } from '../../src-server/files/user-files.ts'
import { type JobRequest, Jobs } from '../../src-server/jobs/jobs.ts'
import { Scheduler } from '../../src-server/jobs/scheduler.ts'
import { JobFiles } from '../../src-server/state/job-files.ts'
import type { JobStore } from '../../src-server/state/job-store.ts'
import { AccessRevocation, accessOf } from '../../src-server/users/access-revocation.ts'
import { startAnn } from './start-ann.ts'
import { userIn } from './start-state.ts'
import { until } from './until.ts'
import { userFilesOn } from './user-files.ts'

/** Calls that change files, and those that change what is kept of jobs. */
const filesChanging = [
  ...['write', 'copyFile', 'copyLink', 'makeLink', 'makeFolder', 'setFolderAttributes', 'openTree'],
  ...['move', 'remove', 'toTrash', 'fromTrash'],
]
const changing = [...filesChanging, 'append', 'add', 'setHead']

/** What the calls of a server throw that was killed. */
export const killed = new Error('the server was killed')

/** Lets calls through one by one, until it holds them. */
export class Gate {
  /** How many calls that change something have come. */
  steps = 0
  readonly #steps: readonly string[]
  #holdsAt = Number.POSITIVE_INFINITY
  #isAfter = false
  #isDead = false
  readonly #running = new Set<Promise<unknown>>()
  #held = Promise.withResolvers<void>()
  #release = Promise.withResolvers<void>()

  /** @param what the calls that count as steps: those that change anything, or files alone */
  constructor(what: 'files' | 'anything' = 'anything') {
    this.#steps = what === 'files' ? filesChanging : changing
  }

  /** Holds everything from a call on, before or after it has acted. @returns when that call has come */
  holdAt(step: number, when: 'before' | 'after'): Promise<void> {
    this.#holdsAt = step
    this.#isAfter = when === 'after'
    this.#held = Promise.withResolvers()
    this.#release = Promise.withResolvers()
    return this.#held.promise
  }

  /** Resolves when nothing runs any more but what is held: a server that is killed does nothing after that. */
  async still(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  /** Ends what is held, and refuses what comes later: what it holds in this process it gives back, as it does when the process ends. */
  kill(): void {
    this.#isDead = true
    this.#release.promise.catch(() => {})
    this.#release.reject(killed)
  }

  release(): void {
    this.#holdsAt = Number.POSITIVE_INFINITY
    this.#release.resolve()
  }

  /** A disk or a store whose calls pass it. */
  around<T extends object>(thing: T): T {
    return new Proxy(thing, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'batch')
          return (work: (inner: Disk) => Promise<unknown>) =>
            (value as Disk['batch']).call(target, (inner) => work(this.around(inner)))
        if (name === 'openTree') return (...asked: Parameters<Disk['openTree']>) => this.#openTree(target as Disk, asked)
        if (typeof value !== 'function' || name === 'listInParts' || name === 'find')
          return typeof value === 'function' ? value.bind(target) : value
        return (...asked: unknown[]) => this.#pass(String(name), () => value.apply(target, asked))
      },
    })
  }

  /** The files in it pass the gate too. It is ended also when the server was killed, as nothing else would end it in this process. */
  async #openTree(disk: Disk, asked: Parameters<Disk['openTree']>): Promise<HiddenTree> {
    let tree: HiddenTree | undefined
    const open = async () => {
      tree = await disk.openTree(...asked)
      return tree
    }
    try {
      const opened = await (this.#pass('openTree', open) as Promise<HiddenTree>)
      const give: HiddenTree['give'] = async (...to) => {
        if (this.#isDead) throw killed
        return opened.give(...to)
      }
      return { disk: this.around(opened.disk), around: this.around(opened.around), give, end: () => opened.end() }
    } catch (error) {
      await tree?.end()
      throw error
    }
  }

  async #pass(name: string, call: () => unknown) {
    if (this.#isDead) throw killed
    const isStep = this.#steps.includes(name)
    const step = isStep ? this.steps++ : this.steps
    const isAsked = step === this.#holdsAt && isStep
    // What comes later waits too, without being what was waited for.
    if (step > this.#holdsAt) await this.#release.promise
    if (isAsked && !this.#isAfter) await this.#hold()
    try {
      const running = Promise.resolve(call())
      this.#running.add(running)
      return await running.finally(() => this.#running.delete(running))
    } finally {
      // Also after one that has failed: it has acted as far as it could.
      if (isAsked && this.#isAfter) await this.#hold()
    }
  }

  async #hold() {
    this.#held.resolve()
    await this.#release.promise
  }
}

type Setup = Readonly<{
  deviceAt?: (path: string) => string
  placesOf?: () => Promise<string[]>
  /** What the files of a job have besides a disk. */
  filesParts?: () => Partial<UserFilesParts>
}>

export async function startJobs(t: TestContext, disk: Disk, setup: Setup = {}) {
  const { deviceAt = () => 'one', placesOf = async () => [], filesParts = () => ({}) } = setup
  const devicesOf = (paths: readonly string[]) => [...new Set(paths.map(deviceAt))]
  const people = await startAnn(t)
  const { state, clock } = people
  const reports: unknown[] = []
  const opened: Jobs[] = []
  /** @param what the gate holds: the disk alone, or the store too, as when the server is killed */
  const open = async (gate = new Gate(), what: 'disk' | 'server' = 'server') => {
    const store: JobStore = new JobFiles({ stateFile: state.file, report: (_path, error) => reports.push(error) })
    const gated = gate.around(disk)
    const parts = filesParts()
    const revocation = new AccessRevocation({ state, clock, ends: new Ends(clock) })
    const jobs = new Jobs({
      ...{ store: what === 'disk' ? store : gate.around(store), revocation, clock, instance: state.instance, devicesOf },
      scheduler: new Scheduler(clock),
      filesOf: ({ user, settings }, operation, source) =>
        userFilesOn(gated, { principal: principalOf(user, settings.rules), operation, source, ...parts }),
      enter: async () => undefined,
      undo: async () => undefined,
      placesOf,
      checkNew: async () => {},
      onePerDevice: (paths) => [...new Map(paths.toReversed().map((path) => [deviceAt(path), path])).values()].toReversed(),
      report: (error) => reports.push(error),
    })
    await jobs.open()
    await jobs.goOn()
    opened.push(jobs)
    return jobs
  }
  const ann = () => {
    const user = userIn(state, 'ann')
    if (!user) throw new Error('ann is deleted')
    return user
  }
  const request = (kind: JobRequest['kind'], entries: readonly string[], given: Partial<JobRequest> = {}): JobRequest => ({
    ...{
      id: `job-${entries.length}-${kind}`,
      kind,
      entries: entries.map(parsePath),
      taken: 'ask',
      choices: new Map(),
      algorithm: 'sha256',
    },
    to: kind === 'copy' || kind === 'move' ? parsePath('/t') : undefined,
    ...given,
  })
  const begin = (jobs: Jobs, asked: JobRequest, access = accessOf(ann())) =>
    jobs.start({ access, address: '192.0.2.7', isAct: true }, asked)
  const reaches = async (jobs: Jobs, id: string, ...states: string[]) => {
    await until(
      () => states.includes(jobs.find(ann().id, id).head.state),
      () => `the job is ${states}, not ${jobs.find(ann().id, id).head.state}`,
    )
    return jobs.find(ann().id, id)
  }
  return { ...people, open, request, begin, reaches, present: ann, reports }
}
