import { authorize } from '../access/authorize.ts'
import { type Principal, pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import type { Path } from '../base/paths.ts'
import type { Description, PreviewSize } from '../contract/previews.ts'
import type { Disk, Entry, OpenFile } from '../disk/disk.ts'
import { largestFile, type Preview, type Previews, previewEdition } from '../previews/previews.ts'
import { mediaTypeOf } from './kinds.ts'
import { refuseUnreachable } from './reading.ts'

export type PreviewParts = Readonly<{ principal: Principal; disk: Disk; operation: Operation; previews: Previews }>

/** A preview and the file that it shows. */
export type ShownPreview = Readonly<{ preview: Preview; entry: Entry }>

/** A picture that the principal may read. */
export type FoundPicture = Readonly<{
  entry: Entry
  /** Previews of this size are switched off: the file itself is shown. */
  isOff: boolean
  /** The preview that was made before. @throws Failure('unsupported' | 'tooLarge') when it could not be made then */
  kept(): Promise<ShownPreview | undefined>
  /** Makes the preview, which takes a while. @throws Failure('unsupported' | 'tooLarge' | 'busy') */
  make(): Promise<ShownPreview>
}>

/**
 * Finds the picture at a path, and checks everything that can be checked without opening it.
 * @throws Failure('notFound' | 'forbidden'), Failure('unsupported' | 'tooLarge') when there is no preview of it
 */
export async function findPicture(parts: PreviewParts, path: Path, size: PreviewSize): Promise<FoundPicture> {
  const { principal, disk, operation } = parts
  const { signal } = operation
  const capability = authorize(principal, 'download', path)
  const entry = await disk.stat(authorize(principal, 'read', path), signal)
  refuseUnreachable(entry)
  if (entry.isDir) throw new Failure('unsupported', 'there are no previews of folders')
  return foundPicture(parts, {
    entry,
    identity: pathsOf(principal, path).served,
    size,
    open: () => disk.open(capability, signal),
  })
}

type PictureFile = Readonly<{
  entry: Entry
  /** Where it is, whoever asks for it. */
  identity: string
  size: PreviewSize
  /** What is opened is closed when the preview is made. */
  open(): Promise<Pick<OpenFile, 'entry' | 'read' | 'close'>>
}>

/** @throws Failure('unsupported' | 'tooLarge') when there is no preview of it */
export function foundPicture(
  { previews, operation: { signal } }: Pick<PreviewParts, 'previews' | 'operation'>,
  { entry, identity, size, open }: PictureFile,
): FoundPicture {
  const mediaType = mediaTypeOf(entry.name)
  previews.check({ mediaType, size: entry.size })
  const keyOf = ({ version }: Entry) => ({ identity, version, size })
  return {
    entry,
    isOff: previews.isOff(size),
    kept: async () => {
      const preview = await previews.kept(keyOf(entry))
      return preview && { preview, entry }
    },
    make: async () => {
      const file = await open()
      try {
        previews.check({ mediaType, size: file.entry.size })
        const picture = { size: file.entry.size, read: file.read }
        return { preview: await previews.make(keyOf(file.entry), picture, signal), entry: file.entry }
      } finally {
        await file.close()
      }
    },
  }
}

/** Which of what a picture says about itself is asked for. */
export type Described = readonly (keyof Description)[]

/** Whether a file may say something about itself, and the principal may read it. */
export function mayDescribe({ principal, previews }: PreviewParts, entry: Entry): boolean {
  const isReadable = principal.permissions.download && !entry.isDir && !entry.unreachable
  return isReadable && previews.isPicture(mediaTypeOf(entry.name)) && entry.size > 0 && entry.size <= largestFile
}

/** What a picture says about itself; nothing when it cannot be decoded. @throws Failure('notFound' | 'forbidden' | 'busy') */
export async function describePicture(parts: PreviewParts, { path }: Entry, wanted: Described): Promise<Description> {
  const { principal, disk, previews } = parts
  const { signal } = parts.operation
  const file = await disk.open(authorize(principal, 'download', path), signal)
  try {
    if (!mayDescribe(parts, file.entry)) return {}
    const description = await previews.describe({ size: file.entry.size, read: file.read }, signal)
    return Object.fromEntries(Object.entries(description).filter(([name]) => wanted.some((one) => one === name)))
  } catch (error) {
    if (error instanceof Failure && (error.code === 'unsupported' || error.code === 'tooLarge')) return {}
    throw error
  } finally {
    await file.close()
  }
}

/** The version of the preview of an entry; '' when that of the entry is unknown. */
export function previewVersion({ version }: Entry): string {
  return version && `${version}-${previewEdition}`
}
