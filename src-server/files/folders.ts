import { admit } from '../access/admission.ts'
import { Failure } from '../base/failure.ts'
import { type Path, parentOf } from '../base/paths.ts'
import { entryAt, type Place } from './walk.ts'

/**
 * Makes a folder and the parents it lacks, each admitted; one that exists is as good as one that was made.
 * @throws Failure('conflict') when a file is in the way, Failure('forbidden') when the visitor may not create there
 */
export async function ensureFolder(place: Place, path: Path): Promise<void> {
  const missing: Path[] = []
  for (let at = path; ; at = parentOf(at)) {
    const found = await entryAt(place, at)
    if (found && !found.isDir) throw new Failure('conflict', 'a file is in the way')
    if (found || at === '/') break
    missing.push(at)
  }
  // All are asked before the first is made, so that a refusal leaves nothing behind.
  const tickets = missing.reverse().map((folder) => admit(place.visitor, 'create', folder))
  for (const ticket of tickets) {
    try {
      await place.disk.makeFolder(ticket)
    } catch (error) {
      // Two uploads into the same new folder both make it; the one that comes second finds it made.
      if (!(error instanceof Failure && error.code === 'conflict')) throw error
    }
  }
}
