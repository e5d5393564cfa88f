// Builds the trash. Called by `services.ts`.
import type { FastifyBaseLogger } from 'fastify'
import type { Principal } from './access/principal.ts'
import type { Clock } from './base/clock.ts'
import type { Operation } from './base/operation.ts'
import { type Path, parentOf, rootPath } from './base/paths.ts'
import type { Disk } from './disk/disk.ts'
import type { Events } from './events/events.ts'
import type { TrashAccess } from './files/user-files.ts'
import type { Options } from './options/options.ts'
import type { PresentItems } from './shares/trashed-links.ts'
import type { State } from './state/state.ts'
import type { StoredSettings } from './state/state-data.ts'
import { TrashRecords } from './state/trash-records.ts'
import { itemDueAt, Keeping } from './trash/keeping.ts'
import { Trash } from './trash/trash.ts'

type TrashServices = Readonly<{
  options: Options
  state: State
  events: Events
  diskFor(principal: Principal, operation: Operation): Disk
  clock: Clock
  log: FastifyBaseLogger
}>

/** The trash, what it keeps, and what it gives to the files of a person. */
export type BuiltTrash = Readonly<{
  accessOf(settings: StoredSettings): TrashAccess
  /** Whether a folder that was at a path of the served root, or above it, is in the trash. */
  hasFolderOf(path: Path): Promise<boolean>
  /**
   * Ends what a kill has interrupted, and removes what is due from now on. A disk that does not answer keeps nothing on others from it.
   * @param reconcile ends what a kill has left between the trash and others
   */
  start(reconcile: (items: PresentItems) => Promise<void>): Promise<void>
  close(): Promise<void>
}>

export function buildTrash({ options, state, events, diskFor, clock, log }: TrashServices): BuiltTrash {
  const report = (error: unknown) => log.error({ err: error }, 'something of the trash could not be done')
  const records = new TrashRecords(options.database, report)
  const trash = new Trash({ records, diskFor, events, instance: state.instance, now: () => clock.now(), report })
  const keeping = new Keeping({ trash, settings: async () => (await state.settings()).trash, clock, report })
  const isUser = async (id: number) => (await state.userById(id)) !== undefined
  return {
    accessOf: ({ trash: settings }) => ({
      trash,
      settings: { ...settings, isOn: settings.isOn && options.trash },
      dueAt: (item) => itemDueAt(item, settings, clock),
      isUser,
      makeRoom: (path, needed) => keeping.makeRoom(path, needed),
      reserve: (path, writer, left) => keeping.reserve(path, writer, left),
    }),
    hasFolderOf: async (path) => {
      for (let at = path; at !== rootPath; at = parentOf(at))
        for (const item of trash.at(at)) if (item.isDir && (await trash.isThere(item))) return true
      return false
    },
    start: async (reconcile) => {
      const items = {
        has: (id: string) => trash.get(id) !== undefined,
        compareAt: (paths: readonly Path[]) => trash.compareAt(paths),
      }
      await Promise.all([trash.tidyAll(), reconcile(items).catch(report), keeping.start()])
    },
    close: async () => {
      keeping.close()
      await trash.close()
    },
  }
}
