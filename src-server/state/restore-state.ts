// Puts the copy of a state in the place of the state, which no server may have.
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asUser, type HostUser } from '../base/act-as.ts'
import { StartupError } from '../base/startup-error.ts'
import { stampOf } from './back-up-state.ts'
import { copyFile, stateNamesIn, surveyed, syncFolderNow } from './copied-files.ts'
import { takeLock } from './lock.ts'
import { readState } from './read-state.ts'

/** `replaced`: the folder with what was there. */
export type Restored = Readonly<{ file: string; users: number; replaced?: string }>

/**
 * Puts a backup in the place of a state, with all that lies beside it. What was there is moved into a folder beside it. The state file is
 * replaced last: a restore that is broken off leaves the one of before, and is done again.
 * @param stateFile with links resolved; it need not exist
 * @param from a folder that `backUpState` has made, or into which the files were copied
 * @param now milliseconds since the epoch
 * @throws StartupError, StateHeld while a server runs
 */
export function restoreState(stateFile: string, from: string, now: number): Restored {
  const source = stateIn(from)
  const reading = readState(source)
  if (reading.kind !== 'good') throw new StartupError(`${source} ${'reason' in reading ? reading.reason : 'is missing'}.`)
  const { uid, gid } = fs.statSync(stateFile, { throwIfNoEntry: false }) ?? fs.statSync(dirname(stateFile))
  const owner = { uid, gid }
  const lock = asUser(owner, () => takeLock(stateFile))
  try {
    const replaced = replaceAll({ stateFile, source, owner, stamp: stampOf(now) })
    return { file: stateFile, users: reading.data.users.length, ...(replaced !== undefined && { replaced }) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`The backup could not be put in place (${reason}): the state is the one of before. Try it again.`, {
      cause,
    })
  } finally {
    asUser(owner, () => lock.release())
  }
}

/** The state file in a folder: all other names begin with its own. */
function stateIn(folder: string): string {
  let names: string[]
  try {
    names = fs.readdirSync(folder)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause
    throw new StartupError(`${folder} cannot be read (${code}): name the folder that holdall backup has made.`, { cause })
  }
  const [name = '', ...others] = names.toSorted((one, other) => one.length - other.length)
  if (name === '' || !others.every((other) => other.startsWith(`${name}.`)))
    throw new StartupError(`${folder} is no backup: it must hold a state and what lies beside it, and nothing else.`)
  return join(folder, name)
}

type Replacement = Readonly<{ stateFile: string; source: string; owner: HostUser; stamp: string }>

/** @returns the folder with what was there; undefined when nothing was */
function replaceAll({ stateFile, source, owner, stamp }: Replacement): string | undefined {
  const [folder, name] = [dirname(stateFile), basename(stateFile)]
  const coming = `${stateFile}.restoring-${stamp}`
  asUser(owner, () => {
    for (const old of fs.readdirSync(folder))
      if (old.startsWith(`${name}.restoring-`)) fs.rmSync(join(folder, old), { recursive: true })
    fs.mkdirSync(coming, { mode: 0o700 })
  })
  copyInto(coming, { source, owner, name })
  return asUser(owner, () => {
    const present = stateNamesIn(folder, name)
    const replaced = present.length > 0 ? newFolder(`${stateFile}.replaced-${stamp}`) : undefined
    if (replaced !== undefined && present.includes(name)) fs.copyFileSync(stateFile, join(replaced, name))
    if (replaced !== undefined) for (const one of present) if (one !== name) fs.renameSync(join(folder, one), join(replaced, one))
    for (const one of fs.readdirSync(coming)) if (one !== name) fs.renameSync(join(coming, one), join(folder, one))
    fs.renameSync(join(coming, name), stateFile)
    fs.rmdirSync(coming)
    if (replaced !== undefined) syncFolderNow(replaced)
    syncFolderNow(folder)
    return replaced
  })
}

/** Another one within the same second has another name. */
function newFolder(path: string, number = 1): string {
  const folder = number === 1 ? path : `${path}-${number}`
  if (fs.existsSync(folder)) return newFolder(path, number + 1)
  fs.mkdirSync(folder, { mode: 0o700 })
  return folder
}

function copyInto(coming: string, { source, owner, name }: Pick<Replacement, 'source' | 'owner'> & { name: string }) {
  const caller = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }
  const from = basename(source)
  for (const [path, { isFolder }] of surveyed(source)) {
    // The state may have another name here.
    const to = join(coming, `${name}${path.slice(from.length)}`)
    if (isFolder) asUser(owner, () => fs.mkdirSync(to, { mode: 0o700 }))
    else copyFile(join(dirname(source), path), to, { reader: caller, writer: owner })
  }
  asUser(owner, () => syncFolderNow(coming))
}
