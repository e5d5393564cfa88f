import { createHash } from 'node:crypto'
import { Failure } from '../base/failure.ts'

const algorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type ChecksumAlgorithm = (typeof algorithms)[number]

/** @throws Failure('invalid') for any other name; case matters */
export function checksumAlgorithm(name: string): ChecksumAlgorithm {
  const found = algorithms.find((algorithm) => algorithm === name)
  if (!found) throw new Failure('invalid', `a checksum is one of ${algorithms.join(', ')}`)
  return found
}

/** @returns lower-case hex @throws the signal's reason when it is aborted */
export async function checksumOf(
  algorithm: ChecksumAlgorithm,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash(algorithm)
  for await (const chunk of bytes) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}
