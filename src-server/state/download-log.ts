// How often public links were used, beside the state: a count must not rewrite it.
import type { DiskSystem } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { Log } from './log.ts'

/** A change of the count of a link. */
export type CountedDownload = Readonly<{
  hash: string
  /** What is added: 1 for a download, -1 for one that was not sent, or a whole sum. */
  add: number
  /** Seconds since the epoch, and whose download it was, by cookie and by address: for an hour it is not counted again. */
  at?: number
  by?: string
  from?: string
}>

/** The log of the counts beside a state file. */
export function downloadLog(stateFile: string, system?: DiskSystem): Log<CountedDownload> {
  return new Log(besideState(stateFile, 'downloads'), { isEntry: isCountedDownload, family: stateFile, system })
}

function isCountedDownload(value: unknown): value is CountedDownload {
  const { hash, add } = (value ?? {}) as Partial<CountedDownload>
  return typeof hash === 'string' && Number.isInteger(add)
}
