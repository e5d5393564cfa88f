// The formats of archives, by the names that clients use.
import { Failure } from '../base/failure.ts'
import type { ArchiveWriter } from './archive.ts'
import { gzip } from './compress.ts'
import { tar } from './tar.ts'
import { zip } from './zip.ts'

/** How an archive is packed and what it is called. */
export type ArchiveFormat = Readonly<{
  write: ArchiveWriter
  /** With its dot, such as `.tar.gz`. */
  ending: string
  mediaType: string
}>

const formats: ReadonlyMap<string, ArchiveFormat> = new Map([
  ['zip', { write: zip, ending: '.zip', mediaType: 'application/zip' }],
  ['tar', { write: tar, ending: '.tar', mediaType: 'application/x-tar' }],
  ['targz', { write: compressed(gzip), ending: '.tar.gz', mediaType: 'application/gzip' }],
])

/** Names that clients of other releases send for zip. */
const zipAliases = new Set(['', 'true'])

/** The format with a name; zip without one. @throws Failure('invalid') for an unknown name */
export function archiveFormat(name = 'zip'): ArchiveFormat {
  const format = formats.get(zipAliases.has(name) ? 'zip' : name)
  if (!format) throw new Failure('invalid', `algo must be one of ${[...formats.keys()].join(', ')}`)
  return format
}

function compressed(compress: typeof gzip): ArchiveWriter {
  return (entries, signal) => compress(tar(entries, signal), signal)
}
