// The archives that are extracted: their contents tell which a file is, and not their names.
import { collectGarbage } from '../base/collect-garbage.ts'
import { Failure } from '../base/failure.ts'
import type { ArchiveFile } from './archive-file.ts'
import { bytesOf, gunzipped } from './byte-source.ts'
import { tarUnpacker } from './tar-reader.ts'
import { unpackedInThread } from './unpack-in-thread.ts'
import type { Unpacker } from './unpacked-entry.ts'
import { unxz } from './unxz.ts'
import { unzstd } from './unzstd.ts'
import { zipUnpacker } from './zip-reader.ts'

type Bytes = AsyncIterable<Uint8Array>

/** How packed streams begin, and what unpacks them. */
const packings: readonly (readonly [start: string, unpacked: (bytes: Bytes) => Bytes])[] = [
  ['\x1f\x8b', gunzipped],
  ['BZh', (bytes) => unpackedInThread('bzip2', bytes)],
  ['\xfd7zXZ\0', unxz],
  ['\x28\xb5\x2f\xfd', unzstd],
  ['\x04\x22\x4d\x18', (bytes) => unpackedInThread('lz4', bytes)],
  ['\xff\x06\0\0sNaPpY', (bytes) => unpackedInThread('snappy', bytes)],
  // Frames that are skipped, which some programs begin with.
  ...Array.from({ length: 16 }, (_, index) => [String.fromCharCode(0x50 + index, 0x2a, 0x4d, 0x18), unzstd] as const),
]

/** How others begin, which are known and not supported. */
const others = ['7z\xbc\xaf\x27\x1c', 'Rar!', 'MSCF']

/** @throws Failure('unsupported') */
export async function unpackerOf(file: ArchiveFile): Promise<Unpacker> {
  const head = Buffer.alloc(Math.min(512, file.size))
  await file.read(head, 0)
  const start = head.toString('latin1')
  const packing = packings.find(([its]) => start.startsWith(its))
  if (packing) return tarUnpacker(() => collectGarbage(packing[1](bytesOf(file)), 'young'))
  if (others.some((other) => start.startsWith(other)))
    throw new Failure('unsupported', 'archives of this kind are not extracted here')
  const isTar = start.slice(257, 262) === 'ustar' || (!start.startsWith('PK') && head.length === 512 && file.size % 512 === 0)
  return isTar ? tarUnpacker(() => bytesOf(file)) : zipUnpacker(file)
}

/** The endings of archives that can be extracted, the longer ones first. */
const endings = [
  ...['.tar.gz', '.tar.bz2', '.tar.xz', '.tar.zst', '.tar.lz4', '.tar.sz'],
  ...['.tgz', '.tbz2', '.tbz', '.txz', '.tzst', '.tar', '.zip'],
]

/** The name of the folder into which an archive is extracted. */
export function withoutEnding(name: string): string {
  const ending = endings.find((one) => name.toLowerCase().endsWith(one) && name.length > one.length)
  const stem = ending === undefined ? name : name.slice(0, -ending.length)
  // What is left of `..zip` is no name.
  return stem === '.' || stem === '..' ? name : stem
}
