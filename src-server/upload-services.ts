// Builds the uploads that may go on later. Called by `services.ts`.
import type { FastifyBaseLogger } from 'fastify'
import type { Principal } from './access/principal.ts'
import type { Clock } from './base/clock.ts'
import { Operation } from './base/operation.ts'
import { type Path, parentOf } from './base/paths.ts'
import type { Disk } from './disk/disk.ts'
import type { Events } from './events/events.ts'
import { discardUnfinished, isUnfinishedAt, unfinishedOwner } from './files/writing.ts'
import type { Options } from './options/options.ts'
import type { State } from './state/state.ts'
import { UploadFiles } from './state/upload-files.ts'
import type { UploadRecord } from './state/upload-store.ts'
import type { BuiltTrash } from './trash-services.ts'
import { followMoves } from './uploads/follow-moves.ts'
import { keyOfPerson } from './uploads/person-asker.ts'
import { day } from './uploads/upload.ts'
import { Uploads } from './uploads/uploads.ts'

type UploadServices = Readonly<{
  options: Options
  state: State
  events: Events
  diskFor(principal: Principal, operation: Operation): Disk
  clock: Clock
  trash: Pick<BuiltTrash, 'hasFolderOf'>
  log: FastifyBaseLogger
}>

/** The uploads of all persons, as they were left. Those of who is deleted go. */
export async function openUploads({ options, state, events, diskFor, clock, trash, log }: UploadServices) {
  const store = new UploadFiles({
    stateFile: options.database,
    report: (path, error) => log.warn({ err: error }, `${path} is no upload that can be read`),
  })
  const report = (error: unknown) => log.error({ err: error }, 'an unfinished upload could not be kept or removed')
  const onDisk = async <T>(work: (disk: Disk) => Promise<T>) => {
    const operation = new Operation()
    try {
      return await work(diskFor(unfinishedOwner, operation))
    } finally {
      await operation.end()
    }
  }
  const discard = (record: UploadRecord) => onDisk((disk) => discardUnfinished(disk, record))
  const isThere = (record: UploadRecord) => onDisk((disk) => isUnfinishedAt(disk, record))
  let { days } = (await state.settings()).uploads
  const uploads = new Uploads({
    ...{ store, discard, isThere, clock, report, keyOf: keyOfPerson },
    isAway: async ({ path }, hasContent) => hasContent && trash.hasFolderOf(parentOf(path as Path)),
    holderOf: keyOfPerson,
    most: { unfinished: 50, gone: 50, finished: 500, finishedInAll: 10_000, ended: 500 },
    life: () => days * day,
    lifeWithoutBytes: day,
  })
  await uploads.open()
  followMoves(events, uploads, clock)
  const removePerson = (id: number) => void uploads.removePerson(id).catch(report)
  const end = state.feed.listen(['user', 'settings'], (news) => {
    for (const one of news) {
      if (one.kind === 'user' && !one.after) removePerson(Number(one.id))
      if (one.kind === 'settings' && one.after) days = one.after.uploads.days
      if (one.kind === 'settings') uploads.lifeChanged()
    }
  })
  // Whose deletion came just before the server ended.
  for (const id of uploads.persons()) if (!(await state.userById(id))) removePerson(id)
  const close = async () => {
    end()
    await uploads.close()
  }
  return { uploads, close }
}
