// Opens the state file at the start.
import { chmodSync, statSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/startup-error.ts'
import type { DiskSystem } from '../disk/system.ts'
import { Backups } from './backups.ts'
import { assertNoBrokenRestore } from './broken-restore.ts'
import { removeTemporaries, resolveFile, writeDurably } from './durable-file.ts'
import { folderError } from './folder-error.ts'
import { frozen } from './frozen.ts'
import { type Lock, takeLock } from './lock.ts'
import { newState } from './new-state.ts'
import { readState, type StateReading } from './read-state.ts'
import type { StateData } from './state-data.ts'
import { chunksOf } from './state-text.ts'

/** The log for warnings and errors. The server's logger has this form. */
export type StateLog = Readonly<{
  warn(details: object, text: string): void
  error(details: object, text: string): void
}>

/** How the state is opened. */
export type OpenOptions = Readonly<{
  file: string
  clock: Clock
  system: DiskSystem
  log: StateLog
  /** Tests replace it to use other migrations. */
  read?: (file: string) => StateReading
  /** A state that is made where there is none; an empty one, unless given. */
  make?: () => StateData
}>

/** The state in memory and the resources that belong to it. */
export type OpenedState = Readonly<{ file: string; lock: Lock; backups: Backups; data: StateData }>

/**
 * Takes the lock, reads the file or makes it, and backs up the file that it read.
 * @throws StartupError; an invalid file and the files beside it are left unchanged
 */
export async function openState(options: OpenOptions): Promise<OpenedState> {
  const { file: named, clock, system, log, read = readState, make = newState } = options
  const file = resolved(named)
  const backups = new Backups({ file, clock, system, read })
  // Checked before the lock too, so that a refused start leaves no files.
  usable(file, read(file), backups)
  const lock = takeLock(file)
  try {
    // One that is under way has the lock.
    assertNoBrokenRestore(file)
    const reading = usable(file, read(file), backups)
    await removeTemporaries(system, file)
    const data = frozen(reading?.data ?? make())
    if (reading === undefined) await writeDurably(system, file, chunksOf(data))
    await prepare({ file, system, backups, reading, log })
    return { file, lock, backups, data }
  } catch (error) {
    lock.release()
    throw error instanceof StartupError ? error : folderError(file, error)
  }
}

function resolved(file: string): string {
  try {
    return resolveFile(file)
  } catch (cause) {
    throw folderError(file, cause)
  }
}

/** @returns undefined when a new state is to be made @throws StartupError naming the newest valid backup */
function usable(file: string, reading: StateReading, backups: Backups) {
  if (reading.kind === 'good') return reading
  if (reading.kind === 'missing' && backups.list().length === 0) return undefined
  const reason = reading.kind === 'bad' ? reading.reason : 'is missing, but its backups are here'
  const good = backups.newestGood()
  const advice = good === undefined ? 'no backup of it is valid either;' : `the newest valid backup is ${good}; copy it there, or`
  throw new StartupError(`The state file ${file} ${reason}: ${advice} name another file with --database.`)
}

type PrepareParts = { file: string; system: DiskSystem; backups: Backups; reading: ReturnType<typeof usable>; log: StateLog }

async function prepare({ file, system, backups, reading, log }: PrepareParts): Promise<void> {
  if (reading === undefined) return backups.skip()
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  if (reading.isMigrated) {
    await backups.make(reading.text)
    await writeDurably(system, file, chunksOf(reading.data))
    return
  }
  await backups.make(reading.text).catch((error) => log.warn({ err: error }, 'a backup of the state could not be made'))
}
