// Builds the uploads that may go on later. Called by `services.ts`.
import type { FastifyBaseLogger } from 'fastify'
import type { Principal } from './access/principal.ts'
import type { FilesOf } from './access-services.ts'
import type { Clock } from './base/clock.ts'
import { Operation } from './base/operation.ts'
import type { Disk } from './disk/disk.ts'
import type { Events } from './events/events.ts'
import { discardUnfinished, isUnfinishedAt, unfinishedOwner } from './files/writing.ts'
import type { Options } from './options/options.ts'
import type { State } from './state/state.ts'
import { UploadFiles } from './state/upload-files.ts'
import type { UploadRecord } from './state/upload-store.ts'
import { day } from './uploads/upload.ts'
import { Uploads } from './uploads/uploads.ts'
import type { AccessRevocation } from './users/access-revocation.ts'

type UploadServices = Readonly<{
  options: Options
  state: State
  events: Events
  filesOf: FilesOf
  diskFor(principal: Principal, operation: Operation): Disk
  revocation: AccessRevocation
  clock: Clock
  log: FastifyBaseLogger
}>

/** The uploads of all persons, as they were left. Those of who is deleted go. */
export async function openUploads({ options, state, events, filesOf, diskFor, revocation, clock, log }: UploadServices) {
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
    ...{ store, revocation, discard, isThere, clock, report },
    filesOf: (me, operation, source, grant) => filesOf({ me, operation, source, grant }),
    life: () => days * day,
  })
  await uploads.open()
  events.surround(async (event) => {
    if (!('isDir' in event) || !event.isDir || event.to === undefined) return undefined
    const { kind, path, to } = event
    const isMove = kind === 'rename'
    if (!isMove && (kind !== 'restore' || to === path)) return undefined
    const { folderMoves } = uploads
    const end = await (isMove ? folderMoves.begin(path, to) : folderMoves.beginRestore(path, to))
    return (done) => end(done !== undefined)
  })
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
