// Content is written under a hidden name, and renamed when it is complete.
import { createHash, randomBytes } from 'node:crypto'
import { Failure } from '../base/failure.ts'

// Case-insensitive, as a file system may be.
const pattern = /^\.holdall-[0-9a-f]{32}\.(?:part|archive)$/i
// Of an archive that a job makes, with which nobody goes on after a kill.
const archivePattern = /^\.holdall-[0-9a-f]{32}\.archive$/i
const treePattern = /^\.holdall-[0-9a-f]{32}\.extract$/i
// Of an unfinished upload: the digits of the installation, and the id of the upload.
const uploadPattern = /^\.holdall-[0-9a-f]{16}([0-9a-f]{32})\.upload$/i

/** Milliseconds without a byte, after which the temporary file of an upload does not prevent the deletion of its folder. */
const stalledAfter = 30_000

/** The same for a file that another server may be writing, whose upload ends when nothing arrives for as long. */
const unknownFor = 120_000

/** Milliseconds: the longest time without a byte for which an installation may keep an unfinished upload. */
export const longestUploadLife = 365 * 24 * 3600 * 1000

/** Milliseconds without a change, after which a folder that another installation was filling is stale. */
const longestTreeLife = 7 * 24 * 3600 * 1000

/** One write of this process. */
export type RunningWrite = Readonly<{
  /** The path of its folder on the host; undefined where that is not known. */
  folderPath: string | undefined
  /** Time of the last byte, in milliseconds since the epoch; undefined while it is not waiting for bytes. */
  waitingSince(): number | undefined
  /** Ends the write: its body is not read further. */
  interrupt(reason: Error): void
}>

/** Hexadecimal digits with which the names of one installation begin, in place of random ones. */
const ownDigits = 16

/** How the names of this installation begin, and when this process began to serve it, in milliseconds since the epoch. */
let own: Readonly<{ digits: string; since: number }> | undefined

/**
 * Names that are made from now on are known as those of this installation, also after a restart. Call it while no other process serves it.
 * @param instance that of the state @param since now, in milliseconds since the epoch
 */
export function beginInstallation(instance: string, since = Date.now()): void {
  const digits = createHash('sha256').update(`temporary files of ${instance}`).digest('hex').slice(0, ownDigits)
  own = { digits, since }
}

/** The temporary files that this process has open. 64 random bits or more make a name unique across all folders. */
const running = new Map<string, RunningWrite>()

/** Why a folder is not deleted now. */
export const uploadInside = () => new Failure('busy', 'something is being uploaded into the folder', { retryAfter: 10 })

/** Whether a name is that of a temporary file, which is hidden from listings and refused in requests. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name)
}

/** Whether a name is that of a folder that is being filled. */
export function isTreeName(name: string): boolean {
  return treePattern.test(name)
}

/** Whether a name is that of the content of an unfinished upload, which stays for days: it is no temporary file. */
export function isUploadName(name: string): boolean {
  return uploadPattern.test(name)
}

/** The hidden name of the content of an unfinished upload. @param id 32 hexadecimal digits */
export function uploadName(id: string): string {
  return `.holdall-${own?.digits ?? '0'.repeat(ownDigits)}${id}.upload`
}

/** @returns the id of an unfinished upload of this installation; undefined for every other name */
export function ownUploadId(name: string): string | undefined {
  const [, id] = uploadPattern.exec(name) ?? []
  return id !== undefined && name.toLowerCase() === uploadName(id.toLowerCase()) ? id.toLowerCase() : undefined
}

/** Whether this process has a temporary file open. */
export function isInUse(name: string): boolean {
  return running.has(name)
}

/**
 * Whether a folder with this temporary file may be deleted: no byte has arrived for half a minute or, of one that this process does
 * not know, for two minutes. One of this installation from before its start is of a process that has ended. An unfinished upload of this
 * installation does not prevent it while nothing arrives, and one of another installation does as long as it may be gone on with.
 * @param changed milliseconds since the epoch
 */
export function isAbandoned(name: string, changed: number): boolean {
  const write = running.get(name)
  if (!write && isUploadName(name)) return ownUploadId(name) !== undefined || Date.now() - changed > longestUploadLife
  if (!write) return isOfEarlierRun(name, changed) || Date.now() - changed > unknownFor
  const since = write.waitingSince()
  return since !== undefined && Date.now() - since > stalledAfter
}

/**
 * Whether nobody fills a folder with this hidden name any more: one of this installation that is not in use, or one of another in which
 * nothing was made for a week. @param changed and `now`: milliseconds since the epoch
 */
export function isAbandonedTree(name: string, changed: number, now = Date.now()): boolean {
  return !isInUse(name) && (isOwn(name) || now - changed > longestTreeLife)
}

/** Whether a hidden name is that of an archive that this installation was making, and makes no more. */
export function isLeftArchive(name: string): boolean {
  return archivePattern.test(name) && isOwn(name) && !isInUse(name)
}

/** Whether a hidden name is one of this installation from before its start. @param changed milliseconds since the epoch */
function isOfEarlierRun(name: string, changed: number): boolean {
  return own !== undefined && isOwn(name) && changed < own.since
}

function isOwn(name: string): boolean {
  return own !== undefined && name.toLowerCase().startsWith(`.holdall-${own.digits}`)
}

/** The writes of this process in a folder of the host and below it. `isAbandoned`: as above. */
export function writesBelow(folder: string): (Pick<RunningWrite, 'interrupt'> & { isAbandoned: boolean })[] {
  const isBelow = (path: string | undefined) => path === folder || path?.startsWith(`${folder}/`) === true
  const found = [...running].filter(([, { folderPath }]) => isBelow(folderPath))
  return found.map(([name, write]) => ({ interrupt: write.interrupt, isAbandoned: isAbandoned(name, Date.now()) }))
}

/** Ends the write that has a temporary file open, if there is one. */
export function interruptWrite(name: string, reason: Error): void {
  running.get(name)?.interrupt(reason)
}

export function newTemporaryName(): string {
  return `.holdall-${newDigits()}.part`
}

/** The hidden name of an archive that is being made. */
export function newArchiveName(): string {
  return `.holdall-${newDigits()}.archive`
}

/** The hidden name of a folder that is being filled. */
export function newTreeName(): string {
  return `.holdall-${newDigits()}.extract`
}

function newDigits(): string {
  const random = randomBytes(16).toString('hex')
  return own ? own.digits + random.slice(ownDigits) : random
}

/** The name counts as in use until `endUse`. @returns whether it was free */
export function beginUse(name: string, write: RunningWrite): boolean {
  if (running.has(name)) return false
  running.set(name, write)
  return true
}

export function endUse(name: string, write: RunningWrite): void {
  if (running.get(name) === write) running.delete(name)
}
