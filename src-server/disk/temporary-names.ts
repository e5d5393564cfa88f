// Content is written under a hidden name first and gets its own when it is whole.
import { randomBytes } from 'node:crypto'

// Blind to case, as a file system may be.
const pattern = /^\.holdall-[0-9a-f]{32}\.part$/i

/** The parts that this process is writing now. 128 random bits make a name unique across all folders. */
const inUse = new Set<string>()

/** Whether a name is one of our temporary files: hidden from listings and refused as a visitor's name. */
export function isTemporaryName(name: string): boolean {
  return pattern.test(name)
}

/** Whether this process is still writing a part. */
export function isInUse(name: string): boolean {
  return inUse.has(name)
}

/** Calls `work` with a new name, which counts as in use until it is done. */
export async function withTemporaryName<T>(work: (name: string) => Promise<T>): Promise<T> {
  const name = `.holdall-${randomBytes(16).toString('hex')}.part`
  inUse.add(name)
  try {
    return await work(name)
  } finally {
    inUse.delete(name)
  }
}
