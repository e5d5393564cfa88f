// What a restore leaves that was broken off while it put a backup in the place of a state.
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { StartupError } from '../base/startup-error.ts'
import { stateNamesIn, syncFolderNow } from './copied-files.ts'

/** What a swap needs to be taken back. `old`: the names that were there; `replaced`: the folder with them. */
export type Swap = Readonly<{ old: readonly string[]; replaced?: string }>

/** The file in the folder of a swap that says it. */
export const swapFile = 'swap'

/** The folders of swaps beside a state. */
function swapsOf(stateFile: string): string[] {
  const [folder, start] = [dirname(stateFile), `${basename(stateFile)}.swapping-`]
  if (!fs.existsSync(folder)) return []
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(start))
  return names.map((name) => join(folder, name))
}

/** While the new state file has not its name, what lies beside the state may be of either. */
const isHalf = (swap: string, stateFile: string) => fs.existsSync(join(swap, basename(stateFile)))

/** @throws StartupError while what lies beside a state may not belong to it */
export function assertNoBrokenRestore(stateFile: string): void {
  if (!swapsOf(stateFile).some((swap) => isHalf(swap, stateFile))) return
  throw new StartupError(
    `A restore of ${stateFile} was broken off: run holdall restore FOLDER --database ${stateFile} again. It first puts back what was there.`,
  )
}

/** Puts back what was there before the swaps that were broken off. */
export function takeBackSwaps(stateFile: string): void {
  for (const swap of swapsOf(stateFile)) takeBack(swap, stateFile)
}

/** It may be broken off too, and is begun again then. */
export function takeBack(swap: string, stateFile: string): void {
  const [folder, name] = [dirname(stateFile), basename(stateFile)]
  if (isHalf(swap, stateFile)) {
    const { old, replaced } = JSON.parse(fs.readFileSync(join(swap, swapFile), 'utf8')) as Swap
    const aside = replaced === undefined ? undefined : join(folder, replaced)
    const waiting = aside !== undefined && fs.existsSync(aside) ? fs.readdirSync(aside).filter((one) => one !== name) : []
    const isNew = (one: string) => one !== name && (!old.includes(one) || waiting.includes(one))
    for (const one of stateNamesIn(folder, name).filter(isNew)) fs.renameSync(join(folder, one), join(swap, one))
    for (const one of waiting) fs.renameSync(join(aside ?? folder, one), join(folder, one))
    syncFolderNow(folder)
    // It holds a copy of the state file that has its name.
    if (aside !== undefined) fs.rmSync(aside, { recursive: true, force: true })
  }
  fs.rmSync(swap, { recursive: true })
  syncFolderNow(folder)
}
