import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StartupError } from '../base/startup-error.ts'
import { folderError } from './folder-error.ts'

/** SQLITE_BUSY. */
const busy = 5

/** Referenced until release: a connection that is garbage-collected releases its lock. */
const connections = new Set<DatabaseSync>()

/** Another process has the state. */
export class StateHeld extends StartupError {}

/** The lock on a state file. */
export type Lock = Readonly<{ release(): void }>

/**
 * Makes this process the only writer of a state file. The lock ends with the process, also after kill -9.
 *
 * Nothing else in this process may open `<state>.lock`: closing any handle of it would release the lock, because POSIX record
 * locks belong to the process and not to the handle.
 * @throws StartupError naming the process that holds it
 */
export function takeLock(stateFile: string): Lock {
  const pidFile = `${stateFile}.pid`
  const database = openOwnerOnly(`${stateFile}.lock`)
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    if (isBusy(cause)) throw new StateHeld(heldSentence(stateFile, pidFile), { cause })
    throw folderError(stateFile, cause)
  }
  connections.add(database)
  writePid(pidFile)
  return { release: () => release(database, pidFile) }
}

function openOwnerOnly(file: string): DatabaseSync {
  // SQLite makes files with mode 0644. Anybody who can read the lock file could lock it and prevent the start.
  const before = process.umask(0o177)
  try {
    return new DatabaseSync(file)
  } catch (cause) {
    throw folderError(file.slice(0, -'.lock'.length), cause)
  } finally {
    process.umask(before)
  }
}

function release(database: DatabaseSync, pidFile: string) {
  if (!connections.delete(database)) return
  rmSync(pidFile, { force: true })
  database.close()
}

function writePid(pidFile: string) {
  rmSync(pidFile, { force: true })
  writeFileSync(pidFile, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
}

function heldSentence(stateFile: string, pidFile: string) {
  const pid = readPid(pidFile)
  const who = pid === undefined ? 'another process' : `another process (pid ${pid})`
  return `${stateFile} is in use by ${who}: stop that one first, or name another file with --database.`
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isBusy(error: unknown) {
  return error instanceof Error && 'errcode' in error && error.errcode === busy
}
