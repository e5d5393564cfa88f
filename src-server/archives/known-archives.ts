// The archives that are extracted: their contents tell which a file is, and not their names.
import { collectGarbage } from '../base/collect-garbage.ts'
import { Failure } from '../base/failure.ts'
import type { ArchiveFile } from './archive-file.ts'
import { bytesOf, gunzipped } from './byte-source.ts'
import { isTarHead } from './tar-headers.ts'
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
]

/** How others begin, which are known and not supported. */
const others = ['7z\xbc\xaf\x27\x1c', 'Rar!', 'MSCF']

/** @throws Failure('unsupported') */
export async function unpackerOf(file: ArchiveFile): Promise<Unpacker> {
  const head = await headOf(file, await behindSkipped(file))
  const start = head.toString('latin1')
  const packing = packings.find(([its]) => start.startsWith(its))
  if (packing) return tarUnpacker(() => collectGarbage(packing[1](bytesOf(file)), 'young'))
  if (others.some((other) => start.startsWith(other)))
    throw new Failure('unsupported', 'archives of this kind are not extracted here')
  return isTarHead(head) ? tarUnpacker(() => bytesOf(file)) : zipUnpacker(file)
}

async function headOf(file: ArchiveFile, at: number): Promise<Buffer> {
  const head = Buffer.alloc(Math.max(0, Math.min(512, file.size - at)))
  await file.read(head, at)
  return head
}

/** Frames in a row that are looked at. */
const mostSkipped = 1000

/** Where the first frame begins that is not skipped: those before it are the same in LZ4 and in Zstandard. */
async function behindSkipped(file: ArchiveFile): Promise<number> {
  let at = 0
  for (let frames = 0; frames < mostSkipped && at + 8 <= file.size; frames++) {
    const head = Buffer.alloc(8)
    await file.read(head, at)
    if ((head.readUInt32LE(0) & 0xfffffff0) !== 0x184d2a50) break
    at += 8 + head.readUInt32LE(4)
  }
  return at
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
