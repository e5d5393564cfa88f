// Copies a state with all that lies beside it, also while a server has it.
import * as fs from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { asUser, type HostUser } from '../base/act-as.ts'
import { StartupError } from '../base/startup-error.ts'
import { copyFile, type Seen, surveyed, syncFolderNow } from './copied-files.ts'
import { readState } from './read-state.ts'

/** `isSteady`: all files are as they were at one moment. */
export type MadeBackup = Readonly<{ folder: string; files: number; bytes: number; isSteady: boolean }>

/** Times that what has changed meanwhile is copied again. */
const mostRounds = 20

/**
 * Copies what changed since it was copied, until nothing has: then all is as at one moment. The server may write meanwhile, as each file
 * is replaced as a whole or only appended to.
 * @param target a new folder, or one in which a folder with the time in its name is made
 * @param now milliseconds since the epoch
 * @throws StartupError; nothing is left then
 */
export function backUpState(stateFile: string, target: string, now: number): MadeBackup {
  const { uid, gid } = fs.statSync(stateFile)
  const owner = { uid, gid }
  if (resolve(target).startsWith(`${stateFile}.`)) throw new StartupError(`${target} is part of the state: name another folder.`)
  const folder = madeFolder(target, `${basename(stateFile)}-${stampOf(now)}`)
  try {
    const isSteady = copyUntilSteady(stateFile, folder, owner)
    const copy = readState(join(folder, basename(stateFile)))
    if (copy.kind !== 'good') throw new StartupError(`${stateFile} ${'reason' in copy ? copy.reason : 'is missing'}.`)
    const sizes = filesBelow(folder).map((file) => fs.statSync(file).size)
    return { folder, files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0), isSteady }
  } catch (cause) {
    fs.rmSync(folder, { recursive: true, force: true })
    if (cause instanceof StartupError) throw cause
    throw new StartupError(`The backup could not be made (${cause instanceof Error ? cause.message : cause}).`, { cause })
  }
}

/** As a part of a name. */
export const stampOf = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')

function madeFolder(target: string, name: string): string {
  const isThere = fs.statSync(target, { throwIfNoEntry: false })?.isDirectory() === true
  const folder = isThere ? join(target, name) : resolve(target)
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
    return folder
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new StartupError(`${folder} cannot be made (${code}): name a new folder, or one to put it into.`, { cause })
  }
}

/** @returns whether nothing changed any more */
function copyUntilSteady(stateFile: string, folder: string, owner: HostUser): boolean {
  const copied = new Map<string, string>()
  for (let round = 0; round < mostRounds; round++) {
    const seen = asUser(owner, () => surveyed(stateFile))
    copyChanged({ stateFile, folder, owner, seen, copied })
    if (
      isSame(
        asUser(owner, () => surveyed(stateFile)),
        copied,
      )
    ) {
      keepOwner(folder, owner)
      return true
    }
  }
  keepOwner(folder, owner)
  return false
}

type Round = Readonly<{
  stateFile: string
  folder: string
  owner: HostUser
  seen: ReadonlyMap<string, Seen>
  /** By path, the mark that the copied file had. */
  copied: Map<string, string>
}>

function copyChanged({ stateFile, folder, owner, seen, copied }: Round) {
  const caller = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  for (const path of [...copied.keys()].reverse()) {
    if (seen.has(path)) continue
    fs.rmSync(join(folder, path), { recursive: true, force: true })
    copied.delete(path)
  }
  for (const [path, { isFolder, mark }] of seen) {
    if (copied.get(path) === mark) continue
    if (isFolder) fs.mkdirSync(join(folder, path), { mode: 0o700, recursive: true })
    const before = isFolder ? '' : copyFile(join(dirname(stateFile), path), join(folder, path), { reader: owner, writer: caller })
    if (before !== undefined) copied.set(path, before)
  }
}

function isSame(seen: ReadonlyMap<string, Seen>, copied: ReadonlyMap<string, string>): boolean {
  return seen.size === copied.size && [...seen].every(([path, { mark }]) => copied.get(path) === mark)
}

/** What root has copied is of who had it, as with cp -p. */
function keepOwner(folder: string, { uid, gid }: HostUser) {
  const isRoot = process.geteuid?.() === 0
  for (const path of [folder, ...allBelow(folder)]) {
    if (isRoot) fs.lchownSync(path, uid, gid)
    if (fs.lstatSync(path).isDirectory()) syncFolderNow(path)
  }
  syncFolderNow(dirname(folder))
}

const allBelow = (folder: string) => fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))

const filesBelow = (folder: string) => allBelow(folder).filter((path) => fs.lstatSync(path).isFile())
