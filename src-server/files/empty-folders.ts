import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Path } from '../base/paths.ts'
import type { Disk } from '../disk/disk.ts'

type Places = Readonly<{ principal: Principal; disk: Disk; signal: AbortSignal }>

/** Removes a folder; one that holds something stays, also when that is an unfinished upload. @returns whether it is gone */
export async function removeEmptyFolder({ principal, disk, signal }: Places, path: Path): Promise<boolean> {
  try {
    await disk.remove(authorize(principal, 'delete', path), signal, { sparesUploads: true })
    return true
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.code === 'notFound'
  }
}
