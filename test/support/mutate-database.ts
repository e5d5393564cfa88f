// Databases that a fault of the disk, another program or an attacker has changed.
import { sealMeta } from './bolt-writer.ts'
import type { SeededRandom } from './seeded-random.ts'

const extremes = [0, 1, 2, 255, 256, 4095, 4096, 32_767, 65_535, 0x7fff_ffff, 0xffff_ffff]

/** A copy with one to three changes. */
export function mutated(file: Buffer, pageSize: number, random: SeededRandom): Buffer {
  let copy = Buffer.from(file)
  for (let left = 1 + random.below(3); left > 0; left--) copy = random.pick(changes)(copy, pageSize, random)
  // Half of what changes a meta page has the right checksum, as an attacker would see to.
  if (random.below(2) === 0) for (const number of [0, 1]) reseal(copy, number * pageSize)
  return copy
}

type Change = (file: Buffer<ArrayBuffer>, pageSize: number, random: SeededRandom) => Buffer<ArrayBuffer>

function reseal(file: Buffer, at: number) {
  if (at + 80 <= file.length) sealMeta(file.subarray(at, at + 80))
}

/** Half of the changes are where pages and their elements begin. */
function placeIn(file: Buffer, pageSize: number, random: SeededRandom): number {
  const page = random.below(Math.max(1, Math.floor(file.length / pageSize))) * pageSize
  return random.below(2) === 0 ? page + random.below(Math.min(128, pageSize)) : random.below(Math.max(1, file.length))
}

const changes: readonly Change[] = [
  (file, pageSize, random) => {
    const at = placeIn(file, pageSize, random)
    if (at < file.length) file[at] = random.below(256)
    return file
  },
  (file, pageSize, random) => {
    const at = placeIn(file, pageSize, random)
    if (at < file.length) file[at] = (file[at] ?? 0) ^ (1 << random.below(8))
    return file
  },
  (file, pageSize, random) => {
    const at = placeIn(file, pageSize, random) & ~3
    if (at + 4 <= file.length) file.writeUInt32LE(random.pick(extremes), at)
    return file
  },
  (file, pageSize, random) => {
    const at = placeIn(file, pageSize, random) & ~1
    if (at + 2 <= file.length) file.writeUInt16LE(random.pick(extremes) & 0xffff, at)
    return file
  },
  // A small number in the place of a number of a page.
  (file, pageSize, random) => {
    const at = placeIn(file, pageSize, random) & ~7
    if (at + 8 <= file.length) file.writeBigUInt64LE(BigInt(random.below(20)), at)
    return file
  },
  (file, pageSize, random) => {
    const [from, to] = [random.below(20) * pageSize, random.below(20) * pageSize]
    if (from + pageSize > file.length || to + pageSize > file.length) return file
    file.copy(file, to, from, from + pageSize)
    // With the number that it has there.
    if (random.below(2) === 0 && to + 8 <= file.length) file.writeBigUInt64LE(BigInt(to / pageSize), to)
    return file
  },
  (file, pageSize, random) => {
    const at = placeIn(file, pageSize, random)
    return file.fill(0, Math.min(at, file.length), Math.min(at + random.below(pageSize), file.length))
  },
  (file, _, random) => file.subarray(0, random.below(file.length + 1)),
]
