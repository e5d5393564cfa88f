// What tells whether a chosen file is the one whose upload was begun.
import { readMetadata } from '../api/tus.ts'
import type { Sha256 } from './hashing.ts'

/** What is known of one. `metadata`: as its client has sent it. */
type Begun = Readonly<{ length?: number | undefined; metadata?: string | undefined }>

/** Bytes at each end of a file that are compared. */
const end = 1 << 20

/** The time of a file in milliseconds since 1970, '' when it has none, and the checksums of its ends in base64. */
export type FileMark = Readonly<{ modified: string; first: string; last: string }>

/** @returns undefined when the file cannot be read, or no checksum can be computed */
export async function markOf(file: Blob, sha256: Sha256, signal: AbortSignal): Promise<FileMark | undefined> {
  const [first, last] = await Promise.all([sha256(file.slice(0, end), signal), sha256(file.slice(-end), signal)])
  if (first === undefined || last === undefined) return undefined
  return { modified: file instanceof File ? String(file.lastModified) : '', first, last }
}

/** Whether an upload says enough of its file to tell it from all others. */
export function isMarked({ metadata = '' }: Begun): boolean {
  const { first, last } = readMetadata(metadata)
  return first !== undefined && last !== undefined
}

/** Whether an upload is of a file. One that another client has begun says less of it, and is compared by what it says. */
export function isOf({ length, metadata }: Begun, file: Blob, mark: FileMark | undefined): boolean {
  if (length !== file.size) return false
  const said = readMetadata(metadata ?? '')
  const isSame = (name: keyof FileMark) => said[name] === undefined || said[name] === mark?.[name]
  return isSame('modified') && isSame('first') && isSame('last')
}

/** False of a file that was moved, changed or deleted since it was chosen. */
export const isReadable = (file: Blob): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
