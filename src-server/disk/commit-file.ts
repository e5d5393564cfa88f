// The last calls of a write: attributes, sync, name, sync of the folder.
import * as fs from 'node:fs'
import { Failure } from '../base/failure.ts'
import type { Call, FileStats } from './call-sequence.ts'
import { type DiskContext, type FoundName, resolveName } from './disk-context.ts'
import type { CommitHow, Entry } from './driver.ts'
import { errnoOf } from './errno.ts'
import { whileKept } from './keep-replaced.ts'
import { below, type PathHandle } from './path-handle.ts'
import { folderMoved, type PlacedName, withPlace } from './place-locks.ts'
import { isLinkRefused, renameOverOwn } from './rename-no-replace.ts'
import { runCalls } from './run-calls.ts'
import { syncFolderByEnd, syncFolderCalls } from './sync-folder.ts'
import type { DiskSystem } from './system.ts'
import { versionOf } from './version.ts'

/** A file that has its hidden name. */
export type HiddenFile = Readonly<{
  hidden: string
  /** Open for writing; `opened` when `begin` opens it. */
  fd: number
  /** Calls that create the file and write its content; empty when that has been done. */
  begin: readonly Call[]
  /** Is called once the file is closed, also when the commit fails afterwards. */
  onClosed(): void
  /** Is called when the content may not be on the disk: the system tells that once, and the next sync succeeds. */
  onUnsynced(): void
}>

/**
 * Syncs the content, then gives the file its name, then syncs the folder. After an error the file still has its hidden name or,
 * when the folder could not be synced, its new one.
 * @param to the name, in the folder of the hidden one
 * @throws Failure('conflict' | 'forbidden') when the file must not replace the entry with that name, or when the folder was moved
 *   meanwhile; Failure('changed') when that entry does not have the version `how.ifVersion`
 */
export function commitFile(context: DiskContext, file: HiddenFile, to: PlacedName, how: CommitHow): Promise<FileStats> {
  return withPlace(to, async () => {
    // The name is resolved now and not at the start, because an upload may take an hour.
    const old = how.replace ? await replacedBy(context, to) : undefined
    // When nothing may be replaced, one system call checks that the name is free and creates it.
    const content = contentCalls(file, (fd) => attributeCalls(fd, { old, like: how.like }))
    const commit = { context, file, to, replace: how.replace }
    const keep = old && how.keepReplaced
    const { onSealed } = how
    if (how.ifVersion === undefined && !keep && !onSealed) return run(commit, content, checkedNameCalls(commit))
    const ready = run(commit, content, []).then(async (stats) => {
      await onSealed?.(versionOf(stats))
      return stats
    })
    // It is awaited below, which may be after it has failed.
    ready.catch(() => {})
    const check = async () => how.ifVersion === undefined || checkVersion(context, to, how.ifVersion)
    const name = async (isFree: boolean) => {
      const stats = await ready
      if (!isFree) await check()
      await run(commit, [], checkedNameCalls(commit))
      return stats
    }
    if (!keep) return name(false)
    // Nothing is put into a trash that is refused anyway.
    await check().catch((error: unknown) => ready.then(() => Promise.reject(error)))
    // Two files are synced at once in less time than one after the other.
    return whileKept(context, { to, old, next: file.hidden, ready: () => ready.then(check) }, keep, name)
  }).then(async (stats) => {
    if (!syncFolderCalls(context, to.folder)) await syncFolderByEnd(context, to.folder)
    return stats
  })
}

type Commit = Readonly<{ context: DiskContext; file: HiddenFile; to: PlacedName; replace: boolean }>

function contentCalls({ fd, begin }: HiddenFile, attributes: (fd: number) => Call[]): Call[] {
  return [...begin, ...attributes(fd), { call: 'sync', args: [fd] }, { call: 'stat', args: [fd] }, { call: 'close', args: [fd] }]
}

function nameCalls({ context, file, to, replace }: Commit): Call[] {
  const [hidden, name] = [below(to.folder, file.hidden), below(to.folder, to.name)]
  const sync = syncFolderCalls(context, to.folder) ?? []
  if (replace) return [{ call: 'rename', args: [hidden, name] }, ...sync]
  // A hidden name that cannot be removed is removed when it is stale.
  return [{ call: 'link', args: [hidden, name] }, { call: 'unlink', args: [hidden], ignored: 'all' }, ...sync]
}

/** The same after a check of the folder's path, as late as possible: other programs may move it. Elsewhere it is addressed by its path. */
function checkedNameCalls(commit: Commit): Call[] {
  const { context, to } = commit
  const at: Call[] = context.strategy.opensByAddress ? [{ call: 'at', args: [to.folder.address, to.folderPath] }] : []
  return [...at, ...nameCalls(commit)]
}

async function run(commit: Commit, content: readonly Call[], names: readonly Call[]): Promise<FileStats> {
  const { context, file, to } = commit
  const { stats, failed } = await runCalls(context, to.folder, [...content, ...names])
  // The last call about the content closes the file, also when that call fails.
  if (!failed || failed.index >= content.length - 1) file.onClosed()
  if (failed && ['sync', 'close'].includes(content[failed.index]?.call ?? '')) file.onUnsynced()
  const call = failed && names[failed.index - content.length]
  if (call?.call === 'at') {
    if (!(await to.isStillThere())) throw folderMoved()
    await run(commit, [], nameCalls(commit))
  } else if (failed) {
    // The file system may refuse hard links.
    if (call?.call !== 'link' || !isLinkRefused(failed.error)) throw failed.error
    await renameOverOwn(context, below(to.folder, file.hidden), to)
    if (syncFolderCalls(context, to.folder)) await syncFolderByEnd(context, to.folder)
  }
  return stats as FileStats
}

/**
 * The present entry with a name, whose handle is closed: what it says of it stays.
 * @throws Failure('conflict' | 'forbidden') when a file must not replace it
 */
export async function replacedBy(context: DiskContext, to: Pick<PlacedName, 'folder' | 'name'>): Promise<PathHandle | undefined> {
  const old = await resolveName(context, to.folder, to.name)
  old.handle?.close()
  checkReplaceable(old, true)
  return old.handle
}

async function checkVersion(context: DiskContext, { folder, name }: PlacedName, version: string) {
  const { handle } = await resolveName(context, folder, name)
  handle?.close()
  if (!handle || versionOf(handle.stats) !== version) throw new Failure('changed')
}

/** @throws Failure('conflict' | 'forbidden') when a file must not replace the existing entry */
export function checkReplaceable({ handle, alias }: FoundName, replace: boolean): void {
  if (alias) throw new Failure('conflict', 'the name is taken in another spelling')
  if (!handle) return
  if (!replace) throw new Failure('conflict', 'the name is taken')
  if (handle.kind === 'folder') throw new Failure('conflict', 'a folder is in the way')
  if (handle.kind === 'special') throw new Failure('forbidden', 'a device, pipe or socket is in the way')
}

const newFileMode = 0o640
export const newFolderMode = 0o750

// Only root may change the owner; vfat and many network file systems have no modes.
const refusals = ['EPERM', 'EACCES', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

type AttributeSource = {
  /** The file that is replaced. */
  old?: PathHandle | undefined
  /** The file that is copied. */
  like?: Entry | undefined
}

/**
 * Set the mode independently of the umask, without the setuid and setgid bits, which the system removes too when a file is written.
 * @param fd may be `opened`
 */
function attributeCalls(fd: number, { old, like }: AttributeSource): Call[] {
  const mode = old ? Number(old.stats.mode) : (like?.mode ?? newFileMode)
  return [
    // The owner first, because changing it clears bits of the mode.
    ...(old ? ownerCalls(fd, old.stats) : []),
    { call: 'setMode', args: [fd, mode & 0o777], ignored: refusals },
    { call: 'setTimes', args: like ? timesOf(fd, like) : newTimes(fd), ignored: refusals },
  ]
}

/**
 * The present with a random part of a millisecond. What another program writes in place has the time of the system's last tick, which
 * could be that of our own write too: then the version would be the same.
 */
function newTimes(fd: number): [fd: number, accessed: number, modified: number] {
  const now = (Date.now() + Math.random()) / 1000
  return [fd, now, now]
}

/** For a new folder that is open for reading. Its owner can always write to it, because entries are copied into it afterwards. */
export async function copyFolderAttributes(system: DiskSystem, fd: number, like: Entry | undefined): Promise<void> {
  const now = fs.fstatSync(fd).mode & 0o7777
  const mode = (now & 0o7000) | (like ? (like.mode & 0o777) | 0o700 : newFolderMode)
  if (mode !== now) await whereAllowed(system.setMode(fd, mode))
  if (like) await whereAllowed(system.setTimes(...timesOf(fd, like)))
}

/** The group is set separately first: a process may be permitted to set the group and not the owner. */
function ownerCalls(fd: number, { uid, gid }: fs.BigIntStats): Call[] {
  return [-1, Number(uid)].map((user) => ({ call: 'setOwner', args: [fd, user, Number(gid)], ignored: refusals }))
}

/** Seconds by which a time is later that would lie below its microsecond: two steps of the numbers of this century. */
const aboveMicrosecond = 2 ** -21

/** In seconds, to the microsecond: a number holds no more of a time of this century. One below would make each copy of a copy older. */
function timesOf(fd: number, { modified }: Entry): [fd: number, accessed: number, modified: number] {
  const microseconds = Number(modified / 1000n)
  const seconds = microseconds / 1e6
  const isBelow = Math.floor((seconds % 1) * 1e9) < (microseconds % 1e6) * 1000
  return [fd, Date.now() / 1000, isBelow ? seconds + aboveMicrosecond : seconds]
}

async function whereAllowed(change: Promise<void>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!refusals.includes(errnoOf(error) ?? '')) throw error
  }
}
