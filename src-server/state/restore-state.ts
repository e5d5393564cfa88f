// Puts the copy of a state in the place of the state, which no server may have.
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asUser, type HostUser } from '../base/act-as.ts'
import { StartupError } from '../base/startup-error.ts'
import { incomplete, stampOf } from './back-up-state.ts'
import { type Swap, swapFile, takeBack, takeBackSwaps } from './broken-restore.ts'
import { copyFile, type HeldFolder, holdFolder, stateNamesIn, surveyed, syncFolderNow } from './copied-files.ts'
import { takeLock } from './lock.ts'
import { readState } from './read-state.ts'

/** `replaced`: the folder with what was there. */
export type Restored = Readonly<{ file: string; users: number; replaced?: string }>

/**
 * Puts a backup in the place of a state, with all that lies beside it. What was there is moved into a folder beside it. What is broken
 * off before is put back by the next one, until when no server starts.
 * @param stateFile with links resolved; it need not exist
 * @param from a folder that `backUpState` has made, or into which the files were copied
 * @param now milliseconds since the epoch
 * @throws StartupError, StateHeld while a server runs; the state is as before
 */
export function restoreState(stateFile: string, from: string, now: number): Restored {
  const backup = openBackup(from)
  try {
    const owner = ownerOf(stateFile, backup)
    const lock = asUser(owner, () => takeLock(stateFile))
    try {
      asUser(owner, () => takeBackSwaps(stateFile))
      return putInPlace({ stateFile, backup, owner, stamp: stampOf(now) })
    } catch (cause) {
      if (cause instanceof StartupError) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new StartupError(`The backup could not be put in place (${reason}): run it again when that is mended.`, { cause })
    } finally {
      asUser(owner, () => lock.release())
    }
  } finally {
    backup.held.close()
  }
}

/** `name`: that of the state file in it, which is `file`. `owner`: whose that is. */
type Backup = Readonly<{ held: HeldFolder; name: string; file: string; owner: HostUser }>

/** The state file in a folder: all other names begin with its own. */
function openBackup(folder: string): Backup {
  let held: HeldFolder
  try {
    held = holdFolder(fs.realpathSync(folder))
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new StartupError(`${folder} cannot be read (${code}): name the folder that holdall backup has made.`, { cause })
  }
  try {
    const [name = '', ...others] = fs.readdirSync(held.at).toSorted((one, other) => one.length - other.length)
    if ([name, ...others].includes(incomplete))
      throw new StartupError(`${folder} holds a backup that was broken off: name another one.`)
    if (name === '' || !others.every((other) => other.startsWith(`${name}.`)))
      throw new StartupError(`${folder} is no backup: it must hold a state and what lies beside it, and nothing else.`)
    const stats = fs.lstatSync(join(held.at, name))
    if (!stats.isFile()) throw new StartupError(`${join(folder, name)} is a link or no file: copy what it leads to.`)
    return { held, name, file: join(folder, name), owner: { uid: stats.uid, gid: stats.gid } }
  } catch (error) {
    held.close()
    throw error
  }
}

/** That of the state; where there is none, on a new machine for example, that of the backup, if this may be somebody else at all. */
function ownerOf(stateFile: string, backup: Backup): HostUser {
  const stats = fs.statSync(stateFile, { throwIfNoEntry: false })
  if (stats) return { uid: stats.uid, gid: stats.gid }
  return process.geteuid?.() === 0 ? backup.owner : { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
}

type Replacement = Readonly<{ stateFile: string; backup: Backup; owner: HostUser; stamp: string }>

function putInPlace({ stateFile, backup, owner, stamp }: Replacement): Restored {
  const name = basename(stateFile)
  const coming = `${stateFile}.restoring-${stamp}`
  asUser(owner, () => {
    for (const old of fs.readdirSync(dirname(stateFile)))
      if (old.startsWith(`${name}.restoring-`)) fs.rmSync(join(dirname(stateFile), old), { recursive: true })
    fs.mkdirSync(coming, { mode: 0o700 })
  })
  try {
    copyInto(coming, { backup, owner, name })
    return asUser(owner, () => {
      const reading = readState(join(coming, name))
      if (reading.kind !== 'good')
        throw new StartupError(`${backup.file} ${'reason' in reading ? reading.reason : 'is missing'}.`)
      const replaced = swap(stateFile, coming, stamp)
      return { file: stateFile, users: reading.data.users.length, ...(replaced !== undefined && { replaced }) }
    })
  } catch (error) {
    asUser(owner, () => fs.rmSync(coming, { recursive: true, force: true }))
    throw error
  }
}

/** All is read where it is, whoever has it, but through no link. */
function copyInto(coming: string, { backup, owner, name }: Pick<Replacement, 'backup' | 'owner'> & { name: string }) {
  const from = backup.held.at
  for (const [path, { isFolder }] of surveyed(join(from, backup.name))) {
    // The state may have another name here.
    const to = join(coming, `${name}${path.slice(backup.name.length)}`)
    if (isFolder) asUser(owner, () => fs.mkdirSync(to, { mode: 0o700 }))
    else copyFile({ from, path, to, writer: owner })
  }
}

/** @returns the folder with what was there; undefined when nothing was */
function swap(stateFile: string, coming: string, stamp: string): string | undefined {
  const [folder, name] = [dirname(stateFile), basename(stateFile)]
  const old = stateNamesIn(folder, name)
  const replaced = old.length > 0 ? freePath(`${stateFile}.replaced-${stamp}`) : undefined
  const noted: Swap = { old, ...(replaced !== undefined && { replaced: basename(replaced) }) }
  writeNow(join(coming, swapFile), JSON.stringify(noted))
  if (replaced !== undefined) makeReplaced(replaced, old.includes(name) ? stateFile : undefined)
  const swapping = `${stateFile}.swapping-${stamp}`
  try {
    fs.renameSync(coming, swapping)
  } catch (error) {
    if (replaced !== undefined) fs.rmSync(replaced, { recursive: true })
    throw error
  }
  try {
    syncFolderNow(folder)
    const move = (names: readonly string[], source: string, target: string) => {
      for (const one of names) if (one !== name && one !== swapFile) fs.renameSync(join(source, one), join(target, one))
    }
    if (replaced !== undefined) move(old, folder, replaced)
    move(fs.readdirSync(swapping), swapping, folder)
    for (const changed of [replaced, folder]) if (changed !== undefined) syncFolderNow(changed)
    fs.renameSync(join(swapping, name), stateFile)
    syncFolderNow(folder)
  } catch (error) {
    takeBack(swapping, stateFile)
    throw error
  }
  fs.rmSync(swapping, { recursive: true, force: true })
  return replaced
}

/** @param stateFile has two names until the new one takes its place; undefined where there is none */
function makeReplaced(replaced: string, stateFile: string | undefined) {
  fs.mkdirSync(replaced, { mode: 0o700 })
  try {
    if (stateFile !== undefined) keepFile(stateFile, join(replaced, basename(stateFile)))
    syncFolderNow(replaced)
  } catch (error) {
    fs.rmSync(replaced, { recursive: true })
    throw error
  }
}

function keepFile(file: string, kept: string) {
  try {
    fs.linkSync(file, kept)
  } catch {
    // Not every disk has second names.
    writeNow(kept, fs.readFileSync(file))
  }
}

function writeNow(file: string, content: string | Uint8Array) {
  fs.writeFileSync(file, content, { mode: 0o600, flush: true })
}

/** Another one within the same second has another name. */
function freePath(path: string, number = 1): string {
  const free = number === 1 ? path : `${path}-${number}`
  return fs.existsSync(free) ? freePath(path, number + 1) : free
}
