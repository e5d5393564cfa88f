import { authorize } from '../access/authorize.ts'
import type { Principal } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { PreviewSize } from '../contract/previews.ts'
import type { Disk, Entry } from '../disk/disk.ts'
import type { Preview, Previews } from '../previews/previews.ts'
import { mediaTypeOf } from './kinds.ts'
import { refuseUnreachable } from './reading.ts'

type PreviewParts = Readonly<{ principal: Principal; disk: Disk; operation: Operation; previews: Previews }>

/** A picture that the principal may read. */
export type FoundPicture = Readonly<{
  entry: Entry
  /** Makes the preview, which takes a while. @throws Failure('unsupported' | 'tooLarge' | 'busy') */
  make(): Promise<Preview>
}>

/**
 * Finds the picture at a path, and checks everything that can be checked without opening it.
 * @throws Failure('notFound' | 'forbidden'), Failure('unsupported' | 'tooLarge') when there is no preview of it
 */
export async function findPicture(parts: PreviewParts, path: Path, size: PreviewSize): Promise<FoundPicture> {
  const { principal, disk, operation, previews } = parts
  const capability = authorize(principal, 'download', path)
  const entry = await disk.stat(authorize(principal, 'see', path), operation.signal)
  refuseUnreachable(entry)
  if (entry.isDir) throw new Failure('unsupported', 'there are no previews of folders')
  previews.check({ mediaType: mediaTypeOf(entry.name), size: entry.size })
  const make = async () => {
    const file = await disk.open(capability, operation.signal)
    try {
      previews.check({ mediaType: mediaTypeOf(entry.name), size: file.entry.size })
      return await previews.make(size, { size: file.entry.size, read: (range) => file.read(range) }, operation.signal)
    } finally {
      await file.close()
    }
  }
  return { entry, make }
}
