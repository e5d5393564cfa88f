// The archives that are extracted: their contents tell which a file is, and not their names.
import { Failure } from '../base/failure.ts'
import type { ArchiveFile } from './archive-file.ts'
import { bytesOf, gunzipped } from './byte-source.ts'
import { tarUnpacker } from './tar-reader.ts'
import type { Unpacker } from './unpacked-entry.ts'
import { zipUnpacker } from './zip-reader.ts'

/** How the packings that are known and not supported begin. */
const others = [
  'BZh',
  '\xfd7zXZ\0',
  '\x28\xb5\x2f\xfd',
  '\x04\x22\x4d\x18',
  '\xff\x06\0\0sNaPpY',
  '7z\xbc\xaf\x27\x1c',
  'Rar!',
  'MSCF',
]

/** @throws Failure('unsupported') */
export async function unpackerOf(file: ArchiveFile): Promise<Unpacker> {
  const head = Buffer.alloc(Math.min(512, file.size))
  await file.read(head, 0)
  const start = head.toString('latin1')
  if (start.startsWith('\x1f\x8b')) return tarUnpacker(() => gunzipped(bytesOf(file)))
  if (others.some((other) => start.startsWith(other)))
    throw new Failure('unsupported', 'archives of this kind are not extracted here')
  const isTar = start.slice(257, 262) === 'ustar' || (!start.startsWith('PK') && head.length === 512 && file.size % 512 === 0)
  return isTar ? tarUnpacker(() => bytesOf(file)) : zipUnpacker(file)
}

/** The endings of archives that can be extracted, the longer ones first. */
const endings = ['.tar.gz', '.tgz', '.tar', '.zip']

/** The name of the folder into which an archive is extracted. */
export function withoutEnding(name: string): string {
  const ending = endings.find((one) => name.toLowerCase().endsWith(one) && name.length > one.length)
  return ending === undefined ? name : name.slice(0, -ending.length)
}
