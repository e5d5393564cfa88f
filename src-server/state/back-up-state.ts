// Copies a state with all that lies beside it, also while a server has it.
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { asUser, type HostUser } from '../base/act-as.ts'
import { StartupError } from '../base/startup-error.ts'
import { assertNoBrokenRestore } from './broken-restore.ts'
import { copyFile, type HeldFolder, holdFolder, type Seen, surveyed, syncFolderNow } from './copied-files.ts'
import { readState } from './read-state.ts'

/** `isSteady`: all files are as they were at one moment. */
export type MadeBackup = Readonly<{ folder: string; files: number; bytes: number; isSteady: boolean }>

/** Times that what has changed meanwhile is copied again. */
const mostRounds = 20

/** A file in a backup that is not whole yet. */
export const incomplete = 'incomplete'

/**
 * Copies what changed since it was copied, until nothing has: then all is as at one moment. The server may write meanwhile, as each file
 * is replaced as a whole or only appended to. As root, all is done with the rights of the owner of the state, whose the copy is: nothing
 * that the owner puts in the way leads elsewhere.
 * @param target a new folder, or one in which a folder with the time in its name is made
 * @param now milliseconds since the epoch
 * @throws StartupError; nothing is left then
 */
export function backUpState(stateFile: string, target: string, now: number): MadeBackup {
  assertNoBrokenRestore(stateFile)
  const { uid, gid } = fs.statSync(stateFile)
  const owner = { uid, gid }
  const folder = folderFor(target, `${basename(stateFile)}-${stampOf(now)}`)
  if (folder.startsWith(`${stateFile}.`)) throw new StartupError(`${target} is part of the state: name another folder.`)
  const made = makeFolder(folder, owner)
  try {
    const filled = asUser(owner, () => fill(stateFile, made.held.at))
    syncFolderNow(dirname(folder))
    return { folder, ...filled }
  } catch (cause) {
    discard(made, owner)
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`The backup could not be made (${cause instanceof Error ? cause.message : cause}).`, { cause })
  } finally {
    made.held.close()
  }
}

/** Why it could not be made is told, and not why it could not be removed. */
function discard({ held, remove }: MadeFolder, owner: HostUser) {
  try {
    asUser(owner, () => {
      for (const name of fs.readdirSync(held.at)) fs.rmSync(join(held.at, name), { recursive: true })
    })
    remove()
  } catch {}
}

/** As a part of a name. */
export const stampOf = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Without links. */
function folderFor(target: string, name: string): string {
  const isThere = fs.statSync(target, { throwIfNoEntry: false })?.isDirectory() === true
  try {
    return isThere
      ? join(fs.realpathSync(target), name)
      : join(fs.realpathSync(dirname(resolve(target))), basename(resolve(target)))
  } catch (cause) {
    throw notMade(resolve(target), cause)
  }
}

type MadeFolder = Readonly<{ held: HeldFolder; remove(): void }>

/** Made by the owner of the state where that may, else by root, who gives it away while it is empty. */
function makeFolder(folder: string, owner: HostUser): MadeFolder {
  try {
    asUser(owner, () => fs.mkdirSync(folder, { mode: 0o700 }))
    return { held: asUser(owner, () => holdFolder(folder)), remove: () => asUser(owner, () => fs.rmdirSync(folder)) }
  } catch (cause) {
    const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'EACCES'
    if (!isRefused || process.geteuid?.() !== 0 || owner.uid === 0) throw notMade(folder, cause)
  }
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
    const held = holdFolder(folder)
    // Somebody else may write in the folder above.
    if (held.stats.uid !== 0) throw new StartupError(`${folder} was replaced by somebody meanwhile: name another one.`)
    fs.fchownSync(held.fd, owner.uid, owner.gid)
    return { held, remove: () => fs.rmdirSync(folder) }
  } catch (cause) {
    throw cause instanceof StartupError ? cause : notMade(folder, cause)
  }
}

function notMade(folder: string, cause: unknown): StartupError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : cause
  return new StartupError(`${folder} cannot be made (${code}): name a new folder, or one to put it into.`, { cause })
}

function fill(stateFile: string, at: string): Omit<MadeBackup, 'folder'> {
  const mark = join(at, incomplete)
  fs.writeFileSync(mark, '', { flag: 'wx', mode: 0o600 })
  const isSteady = copyUntilSteady(stateFile, at)
  const copy = readState(join(at, basename(stateFile)))
  if (copy.kind !== 'good') throw new StartupError(`${stateFile} ${'reason' in copy ? copy.reason : 'is missing'}.`)
  const all = fs.readdirSync(at, { recursive: true }).map((name) => fs.lstatSync(join(at, String(name))))
  const files = all.filter((stats) => stats.isFile())
  syncFolderNow(at)
  fs.rmSync(mark)
  syncFolderNow(at)
  // The mark is none of them.
  return { files: files.length - 1, bytes: files.reduce((sum, { size }) => sum + size, 0), isSteady }
}

/** @returns whether nothing changed any more */
function copyUntilSteady(stateFile: string, folder: string): boolean {
  const copied = new Map<string, string>()
  for (let round = 0; round < mostRounds; round++) {
    copyChanged({ stateFile, folder, seen: surveyed(stateFile), copied })
    if (isSame(surveyed(stateFile), copied)) return true
  }
  return false
}

type Round = Readonly<{
  stateFile: string
  folder: string
  seen: ReadonlyMap<string, Seen>
  /** By path, the mark that the copied file had. */
  copied: Map<string, string>
}>

function copyChanged({ stateFile, folder, seen, copied }: Round) {
  const from = dirname(stateFile)
  // Where it has no other rights already.
  const writer = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  for (const path of [...copied.keys()].reverse()) {
    if (seen.has(path)) continue
    fs.rmSync(join(folder, path), { recursive: true, force: true })
    copied.delete(path)
  }
  for (const [path, { isFolder, mark }] of seen) {
    if (copied.get(path) === mark) continue
    if (isFolder) fs.mkdirSync(join(folder, path), { mode: 0o700, recursive: true })
    const before = isFolder ? '' : copyFile({ from, path, to: join(folder, path), writer })
    if (before !== undefined) copied.set(path, before)
  }
  for (const [path, { isFolder }] of seen) if (isFolder) syncFolderNow(join(folder, path))
}

function isSame(seen: ReadonlyMap<string, Seen>, copied: ReadonlyMap<string, string>): boolean {
  return seen.size === copied.size && [...seen].every(([path, { mark }]) => copied.get(path) === mark)
}
