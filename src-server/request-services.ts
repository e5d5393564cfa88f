// Builds the services of links that take files in. Called by `services.ts`.
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { noPermissions } from './access/permissions.ts'
import type { Principal } from './access/principal.ts'
import { noRules } from './access/rules.ts'
import type { Makers, PersonServices } from './api/person-context.ts'
import type { Clock } from './base/clock.ts'
import { Operation } from './base/operation.ts'
import { type Path, parentOf, rootPath } from './base/paths.ts'
import type { Disk } from './disk/disk.ts'
import { deviceFinder } from './disk/mounts.ts'
import type { Events } from './events/events.ts'
import { principalOf } from './files/principal-of.ts'
import { UserFiles } from './files/user-files.ts'
import { entryAt } from './files/walk.ts'
import { discardUnfinished, isNamedAt, isUnfinishedAt, unfinishedOwner } from './files/writing.ts'
import type { Options } from './options/options.ts'
import type { Previews } from './previews/previews.ts'
import { Books } from './requests/books.ts'
import { life, RequestFollowing } from './requests/follow-requests.ts'
import { OwnRequests } from './requests/own-requests.ts'
import { PublicRequests } from './requests/public-requests.ts'
import { Quotas } from './requests/quotas.ts'
import { Receipts } from './requests/receipts.ts'
import { keyOfSender } from './requests/sender-asker.ts'
import { type OpenFolder, SenderFolders } from './requests/sender-folders.ts'
import { SenderCookies } from './requests/senders.ts'
import { Sums } from './requests/sums.ts'
import type { LinkPasswords } from './shares/link-passwords.ts'
import { RequestFiles } from './state/request-files.ts'
import type { State } from './state/state.ts'
import { UploadFiles } from './state/upload-files.ts'
import type { UploadRecord } from './state/upload-store.ts'
import type { BuiltTrash } from './trash-services.ts'
import { Numbers } from './uploads/numbers.ts'
import { Uploads } from './uploads/uploads.ts'
import type { AccessRevocation } from './users/access-revocation.ts'
import type { Passwords } from './users/passwords.ts'
import { customerOf } from './users/source-address.ts'
import type { UnnamedProxies } from './users/unnamed-proxies.ts'

type RequestServices = Readonly<{
  options: Options
  state: State
  events: Events
  diskFor(principal: Principal, operation: Operation): Disk
  previews: Previews
  revocation: AccessRevocation
  clock: Clock
  passwords: Passwords
  linkPasswords: LinkPasswords
  proxies: Pick<UnnamedProxies, 'isShared'>
  trash: Pick<BuiltTrash, 'hasFolderOf'>
  /** Whether a command of an event gets the names of new files as arguments. */
  takesNames(): Promise<boolean>
  log: FastifyBaseLogger
}>

/** The links with which people ask others for files, and what is sent by them. */
export async function openRequests(given: RequestServices) {
  const { state, events, diskFor, revocation, clock, linkPasswords } = given
  const report = (error: unknown) =>
    given.log.error({ err: error }, 'what is sent by a request link could not be kept or removed')
  const store = new RequestFiles({ stateFile: given.options.database, clock })
  const books = new Books({
    ...{ store, state, now: () => clock.now() },
    report: (error, hash) => given.log.error({ err: error }, `what was sent by the request link ${hash} cannot be read`),
  })
  await books.open()
  const openFolder = folderOpener(given)
  const { root } = given.options
  const sums = new Sums({
    ...{ books, report, filesIn: (operation) => openFolder(server, operation, { source: ofServer }).files },
    deviceOf: (hash) => deviceFinder()(join(root, following.folderOf(hash) ?? '')),
  })
  const folders = new SenderFolders(books, () => clock.now())
  const following = new RequestFollowing({ state, events, books, folders, sums, diskFor, root, clock, report })
  const uploads = await openUploads(given, following, report)
  // What has its name has arrived a moment before its record says so.
  const isUnfinished = ({ id, finishedAt, request }: UploadRecord) =>
    finishedAt === undefined && !books.find(request?.hash ?? '')?.arrivals.has(id)
  const quotas = new Quotas({
    unfinished: () => uploads.unfinished(isUnfinished),
    isShared: (source) => given.proxies.isShared(source),
    report,
    now: () => clock.now(),
  })
  const endFollowing = await following.begin(uploads, quotas)
  sums.begin()
  const publicRequests = new PublicRequests({
    ...{ revocation, linkPasswords, cookies: new SenderCookies(() => state.keys), books, quotas, uploads, clock, openFolder },
    receipts: new Receipts(books, () => clock.now()),
    folders,
    viewOf: (hash) => state.request(hash),
    filesOf: (principal, operation, how) => openFolder(principal, operation, how).files,
    tidy: (request, sender, at) => following.tidy(request, sender, at).catch(report),
  })
  const close = async () => {
    endFollowing()
    await sums.close()
    await uploads.close()
    await books.close()
  }
  return { requestsOf: ownRequestsFor(given, books), publicRequests, uploads, close }
}

function ownRequestsFor({ options, diskFor, ...parts }: RequestServices, books: Books): Makers<PersonServices>['requests'] {
  const shortestPassword = options.linkPasswordLength
  return ({ me: { user, session, settings }, operation, source }) => {
    const principal = principalOf(user, settings.rules)
    const disk = diskFor(principal, operation)
    const own = { principal, sessionId: session.id, disk, source, signal: operation.signal }
    return new OwnRequests({ ...parts, books, shortestPassword, ...own })
  }
}

/** Nothing of the trash goes for senders, and nothing of theirs is in what their owner can undo. */
function folderOpener({ events, diskFor, previews }: RequestServices): OpenFolder {
  return (principal, operation, { source, grant }) => {
    const disk = diskFor(principal, operation)
    const opened = { principal, disk, events, operation, source, previews, sorting: byName, locale: '' }
    return { principal, disk, files: new UserFiles({ ...opened, ...(grant && { revalidate: grant.check }) }) }
  }
}

/** It reads what has arrived, and changes nothing. */
const server: Principal = {
  ...{ userId: 0, name: '', rules: noRules, scope: rootPath, base: rootPath },
  permissions: { ...noPermissions, download: true },
}
const ofServer = { address: '', way: 'job' } as const

const byName = { by: 'name', asc: true } as const

async function openUploads(
  { options, diskFor, clock, log, trash }: RequestServices,
  following: RequestFollowing,
  report: (error: unknown) => void,
): Promise<Uploads> {
  const store = new UploadFiles({
    ...{ stateFile: options.database, name: 'request-uploads' },
    report: (path, error) => log.warn({ err: error }, `${path} is no upload that can be read`),
  })
  const onDisk = async <T>(work: (disk: Disk) => Promise<T>) => {
    const operation = new Operation()
    try {
      return await work(diskFor(unfinishedOwner, operation))
    } finally {
      await operation.end()
    }
  }
  const uploads = new Uploads({
    ...{ store, clock, report, keyOf: keyOfSender, numbers: new Numbers() },
    // Of one sender. A finished one is known so that a lost answer makes no second file: few are sent at a time.
    most: { unfinished: 20, gone: 20, finished: 50, finishedInAll: 10_000, ended: 50 },
    // Anybody can be very many senders.
    holderOf: ({ request }) => customerOf(request?.source ?? ''),
    life: (record) => following.lifeOf(record),
    lifeWithoutBytes: life.withoutBytes,
    discard: (record) => onDisk((disk) => discardUnfinished(disk, record)),
    isThere: (record) => onDisk((disk) => isUnfinishedAt(disk, record)),
    isNamed: (record) => onDisk((disk) => isNamedAt(disk, record)),
    // Of one without bytes there are the folders that it was to come into.
    isAway: async ({ path, request }, hasContent) => {
      const folder = parentOf(path as Path)
      if ((!hasContent && !request?.hasFolder) || !(await trash.hasFolderOf(folder))) return false
      return hasContent || !(await onDisk((disk) => isThere(disk, folder)))
    },
    named: (record) => following.named(record),
    ending: (record, remove) => following.ending(record, remove),
    isGivenUp: (refused) => following.isGivenUp(refused),
  })
  await uploads.open()
  return uploads
}

async function isThere(disk: Disk, path: Path): Promise<boolean> {
  const { signal } = new AbortController()
  return (await entryAt({ principal: unfinishedOwner, disk, signal }, path)) !== undefined
}
