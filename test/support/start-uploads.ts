// Uploads on a real folder, whose server a test can kill at any call of the disk.
import type { TestContext } from 'node:test'
import { Ends } from '../../src-server/base/ends.ts'
import { type Path, parsePath } from '../../src-server/base/paths.ts'
import type { Disk } from '../../src-server/disk/disk.ts'
import { type DiskSystem, diskSystem } from '../../src-server/disk/system.ts'
import { beginInstallation } from '../../src-server/disk/temporary-names.ts'
import { Events } from '../../src-server/events/events.ts'
import { principalOf } from '../../src-server/files/principal-of.ts'
import type { UserFilesParts } from '../../src-server/files/user-files.ts'
import { discardUnfinished, isUnfinishedAt } from '../../src-server/files/writing.ts'
import { UploadFiles } from '../../src-server/state/upload-files.ts'
import type { UploadStore } from '../../src-server/state/upload-store.ts'
import { keyOfPerson, type PersonAskerParts, personAsker } from '../../src-server/uploads/person-asker.ts'
import { PieceBody } from '../../src-server/uploads/piece-body.ts'
import { day, type Piece } from '../../src-server/uploads/upload.ts'
import { type UploadRequest, Uploads, type UploadsParts } from '../../src-server/uploads/uploads.ts'
import { AccessRevocation } from '../../src-server/users/access-revocation.ts'
import { body } from './capabilities.ts'
import { openDisk } from './open-disk.ts'
import { startAnn } from './start-ann.ts'
import { userIn } from './start-state.ts'
import type { Tree } from './tree.ts'
import { userFilesOn } from './user-files.ts'

type Setup = Readonly<{
  store?: (store: UploadStore) => UploadStore
  filesParts?: Partial<UserFilesParts>
  parts?: Partial<Pick<UploadsParts, 'most' | 'isAway'>>
}>

/** How many uploads there may be. */
export const usualMost = { unfinished: 50, gone: 50, finished: 500, finishedInAll: 10_000, ended: 500 }

/** What a test says of a piece. */
export type PieceAsked = Partial<Omit<Piece, 'body'>> & { body: string | PieceBody | AsyncIterable<Uint8Array> }

export const pieceOf = ({ body: given, ...piece }: PieceAsked): Piece => {
  const content = typeof given === 'string' ? body(given) : given
  return { offset: 0, ...piece, body: content instanceof PieceBody ? content : new PieceBody(content) }
}

export async function startUploads(t: TestContext, setup: Setup = {}) {
  const people = await startAnn(t)
  const { state, clock } = people
  beginInstallation(state.instance)
  t.after(() => beginInstallation(''))
  const reports: unknown[] = []
  const events = new Events((error) => reports.push(error))
  const opened: Uploads[] = []
  t.after(async () => {
    for (const uploads of opened) await uploads.close()
  })
  const revocation = new AccessRevocation({ state, clock, ends: new Ends(clock) })
  /** On the disk of the last server. */
  let filesOf: PersonAskerParts['filesOf'] = () => {
    throw new Error('No server was opened')
  }
  /** A server on a disk. What another has left is found by it. */
  const open = async (disk: Disk, { store = setup.store, filesParts = setup.filesParts, parts = setup.parts }: Setup = {}) => {
    const files = new UploadFiles({ stateFile: state.file, report: (_path, error) => reports.push(error) })
    filesOf = ({ me: { user, settings }, operation, source, grant }) =>
      userFilesOn(disk, {
        ...{ principal: principalOf(user, settings.rules), operation, source, events },
        ...(grant && { revalidate: grant.check }),
        ...filesParts,
      })
    const uploads = new Uploads({
      store: store?.(files) ?? files,
      ...{ keyOf: keyOfPerson, holderOf: keyOfPerson, most: usualMost, ...parts },
      discard: (record) => discardUnfinished(disk, record),
      isThere: (record) => isUnfinishedAt(disk, record),
      clock,
      life: () => 7 * day,
      lifeWithoutBytes: day,
      report: (error) => reports.push(error),
    })
    await uploads.open()
    opened.push(uploads)
    const ownFiles = () =>
      userFilesOn(disk, { principal: principalOf(present(), state.data.settings.rules), events, ...filesParts })
    const begin = (path: string, request: Partial<UploadRequest> = {}) =>
      uploads.begin(asker(), ownFiles(), { path: parsePath(path) as Path, override: false, condition: {}, ...request })
    return { uploads, begin }
  }
  const present = () => {
    const user = userIn(state, 'ann')
    if (!user) throw new Error('ann is deleted')
    return user
  }
  const asker = (given: Partial<Parameters<typeof personAsker>[1]> = {}) =>
    personAsker(
      { revocation, filesOf },
      {
        me: { user: present(), settings: state.data.settings },
        source: { address: '192.0.2.7', way: 'page' },
        signal: new AbortController().signal,
        ...given,
      },
    )
  return { ...people, open, asker, present, events, reports }
}

type OnFolder = Setup & Readonly<{ files?: Tree; system?: DiskSystem }>

/** A server with uploads on a new folder. */
export async function startOnFolder(t: TestContext, { files = {}, system = diskSystem, ...setup }: OnFolder = {}) {
  const opened = await openDisk(t, { files, options: () => ({ system }) })
  const people = await startUploads(t, setup)
  const server = await people.open(opened.disk)
  return { ...opened, ...people, ...server, restart: () => people.open(opened.disk), me: people.present() }
}

/** A body that waits after its chunks. `came`: when what follows them was asked for. */
export function waitingBody(...chunks: string[]) {
  const came = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  async function* bytes() {
    yield* body(...chunks)
    came.resolve()
    await go.promise
  }
  return { body: new PieceBody(bytes()), came: came.promise, go: go.resolve }
}
