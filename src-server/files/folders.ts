import { authorize, type Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parentOf } from '../base/paths.ts'
import { noteFolder } from './deeds.ts'
import { withRoomAt } from './room.ts'
import { entryAt, type FileContext } from './walk.ts'

/**
 * Makes a folder and its missing parents, each authorized. One that exists already is no error.
 * @throws Failure('conflict') when a file is in the way, Failure('forbidden') when the principal may not create there
 */
export async function ensureFolder(context: FileContext, path: Path): Promise<void> {
  const missing: Path[] = []
  for (let at = path; ; at = parentOf(at)) {
    const found = await entryAt(context, at)
    if (found && !found.isDir) throw new Failure('conflict', 'a file is in the way')
    if (found || at === '/') break
    missing.push(at)
  }
  // All are authorized before the first is created, so that a refusal creates no folder.
  const folders = missing.reverse().map((folder) => [folder, authorize(context.principal, 'create', folder)] as const)
  if (folders.length === 0) return
  await context.disk.batch(async (disk) => {
    for (const [folder, capability] of folders) {
      const isMade = await withRoomAt(context, folder, () => makeOne({ ...context, disk }, capability))
      if (isMade) await noteFolder({ ...context, disk }, folder)
    }
  })
}

/** @returns whether it was made here */
async function makeOne({ disk, signal }: FileContext, capability: Capability<'create'>): Promise<boolean> {
  try {
    await disk.makeFolder(capability, undefined, signal)
    return true
  } catch (error) {
    // Two uploads into the same new folder both create it; for the second it exists.
    if (!(error instanceof Failure && error.code === 'conflict')) throw error
    return false
  }
}
