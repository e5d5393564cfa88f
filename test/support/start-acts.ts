// Jobs of which the changes are kept as acts, on a real folder with a trash: a further server can be started after a kill.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Capability } from '../../src-server/access/authorize.ts'
import { Operation } from '../../src-server/base/operation.ts'
import { CrossDevice, Disk, type TrashedItem } from '../../src-server/disk/disk.ts'
import { Events } from '../../src-server/events/events.ts'
import { principalOf } from '../../src-server/files/principal-of.ts'
import { History } from '../../src-server/history/history.ts'
import type { HistoryLimits } from '../../src-server/history/limits.ts'
import { OwnHistory } from '../../src-server/history/own-history.ts'
import type { Job } from '../../src-server/jobs/job.ts'
import type { JobRequest } from '../../src-server/jobs/jobs.ts'
import { HistoryFiles } from '../../src-server/state/history-files.ts'
import type { HistoryStore } from '../../src-server/state/history-store.ts'
import { TrashRecords } from '../../src-server/state/trash-records.ts'
import { Trash } from '../../src-server/trash/trash.ts'
import type { StoppedClock } from './clock.ts'
import { openDisk } from './open-disk.ts'
import { startJobs } from './start-jobs.ts'
import { type Tree, temporaryFolder } from './tree.ts'
import { userFilesOn } from './user-files.ts'

type StartHow = Readonly<{
  files: Tree
  /** All below `/t` lies on another device. */
  twoDevices?: boolean
  /** Whether what is replaced goes into the trash. */
  hasTrash?: boolean
  limits?: Partial<HistoryLimits>
  /** See `TrashParts`. */
  longestAwaited?: number
  /** Makes the history of the first server. */
  historyOf?(stateFile: string): HistoryStore
}>

const settings = { isOn: true, days: 30, percent: 10, isNews: false }

/** A served folder with trash and history, on which a further server can be started after a kill. */
export async function startActs(
  t: TestContext,
  { files, twoDevices = false, hasTrash = true, limits, longestAwaited, historyOf }: StartHow,
) {
  const { disk, root } = await openDisk(t, { files })
  if (twoDevices) separate(t, disk)
  const stateFile = join(await temporaryFolder(t), 'state.json')
  const report = (error: unknown) => assert.fail(String(error))
  const events = new Events(report)
  const partsOf = async (clock: StoppedClock, store: HistoryStore = new HistoryFiles({ stateFile })) => {
    const records = new TrashRecords(stateFile, report)
    const diskFor = () => disk
    const trash = new Trash({ records, diskFor, events, instance: 'i', now: () => clock.now(), report, longestAwaited })
    await trash.tidyAll()
    const history = new History({ store, clock, limits, report })
    await history.open([1, 2])
    const own = { ...settings, isOn: hasTrash }
    return {
      trash: {
        ...{ trash, settings: own, dueAt: ({ at }: TrashedItem) => at, isUser: async () => true },
        ...{ makeRoom: async () => 'none' as const, reserve: () => () => {} },
      },
      deeds: history,
      events,
    }
  }
  let parts: Awaited<ReturnType<typeof partsOf>>
  const setup = await startJobs(t, disk, { deviceAt: (path) => path, filesParts: () => parts })
  const startServer = async () => {
    parts = await partsOf(setup.clock)
    return parts
  }
  parts = await partsOf(setup.clock, historyOf?.(stateFile))
  /** Lets a further server go on with a job after a kill, or begin it where nothing was kept of it. @returns it, at its end */
  const goOn = async (request: JobRequest): Promise<Job> => {
    await startServer()
    const next = await setup.open()
    const known = next.of(setup.present().id)[0]
    if (!known) await setup.begin(next, request)
    else if (!known.isOver) await known.resume()
    const job = await setup.reaches(next, request.id, 'ended')
    await job.rested
    return job
  }
  const filesNow = (operation = new Operation()) => {
    const source = { address: '', way: 'page' } as const
    return userFilesOn(disk, { ...parts, principal: principalOf(setup.present(), []), source, operation })
  }
  /** Undoes the last act, or does it again. */
  const turn = async (direction: 'undo' | 'redo', rest = false) => {
    const history = parts.deeds
    const userId = setup.present().id
    const [head] = await history.acts(userId)
    const own = new OwnHistory({ history, userId, deeds: filesNow().deeds })
    const job = { signal: new AbortController().signal, report: () => {} }
    return own.undo(head?.id ?? '', direction, { rest, job })
  }
  return {
    ...setup,
    root,
    disk,
    startServer,
    goOn,
    filesNow,
    turn,
    acts: () => parts.deeds.acts(setup.present().id),
    parts: () => parts,
  }
}

function separate(t: TestContext, disk: Disk) {
  const { move } = Disk.prototype
  t.mock.method(disk, 'move', async function (this: Disk, ...asked: Parameters<Disk['move']>) {
    const ends = [asked[0], asked[1]].map((end) => Capability.check(end, 'rename').path.startsWith('/t/'))
    if (ends[0] !== ends[1]) throw new CrossDevice()
    return move.apply(this, asked)
  })
}
