// The formats of archives, by the names that clients use.

import { collectGarbage } from '../base/collect-garbage.ts'
import { refusedField } from '../base/failure.ts'
import type { ArchiveWriter } from './archive.ts'
import { bzip2, type Compress, gzip, lz4, snappy, xz } from './compress.ts'
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
  ['tarbz2', { write: compressed(bzip2), ending: '.tar.bz2', mediaType: 'application/x-bzip2' }],
  ['tarxz', { write: compressed(xz), ending: '.tar.xz', mediaType: 'application/x-xz' }],
  ['tarlz4', { write: compressed(lz4), ending: '.tar.lz4', mediaType: 'application/x-lz4' }],
  ['tarsz', { write: compressed(snappy), ending: '.tar.sz', mediaType: 'application/x-snappy-framed' }],
])

/** Names that clients of other releases send for zip. */
const zipAliases = new Set(['', 'true'])

/** The format with a name; zip without one. @throws Failure('invalid') for an unknown name */
export function archiveFormat(name = 'zip'): ArchiveFormat {
  const format = formats.get(zipAliases.has(name) ? 'zip' : name)
  if (!format) throw refusedField('algo', `must be one of ${[...formats.keys()].join(', ')}`)
  return format
}

function compressed(compress: Compress): ArchiveWriter {
  return (entries, signal) => compress(collectGarbage(tar(entries, signal), 'young'), signal)
}
