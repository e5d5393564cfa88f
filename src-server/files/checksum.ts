import { createHash } from 'node:crypto'
import { Failure } from '../base/failure.ts'
import type { OpenFile } from '../disk/disk.ts'
import { hashInThread } from './hash-threads.ts'

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type ChecksumAlgorithm = (typeof algorithms)[number]

/** @throws Failure('invalid') for any other name; case matters */
export function checksumAlgorithm(name: string): ChecksumAlgorithm {
  const found = algorithms.find((algorithm) => algorithm === name)
  if (!found) throw new Failure('invalid', `a checksum is one of ${algorithms.join(', ')}`)
  return found
}

/** Bytes up to which a file is hashed at once: a thread would take longer. */
const smallFile = 256 << 10

export type ChecksumHow = Readonly<{
  signal: AbortSignal
  /** Called with the bytes that are hashed so far. */
  onProgress?: (done: number) => void
}>

/** Large files are hashed in a thread of their own. @returns lower-case hex @throws the signal's reason when it is aborted */
export async function checksumOf(
  algorithm: ChecksumAlgorithm,
  file: Pick<OpenFile, 'entry' | 'read' | 'readInto'>,
  { signal, onProgress = () => {} }: ChecksumHow,
): Promise<string> {
  const { size } = file.entry
  const { readInto } = file
  if (size > smallFile) return hashInThread({ size, readInto }, { algorithm, signal, onProgress })
  const hash = createHash(algorithm)
  let done = 0
  for await (const chunk of file.read({ signal }) as AsyncIterable<Uint8Array>) {
    signal.throwIfAborted()
    hash.update(chunk)
    done += chunk.length
    onProgress(done)
  }
  return hash.digest('hex')
}
