import type { Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import type { Entry } from '../disk/disk.ts'
import type { FileContext } from './walk.ts'

/** Files up to this size, in bytes, are read whole, so that a failure to read them leaves them out and does not end the archive. */
export const smallFile = 1024 * 1024

/** Attempts for a file whose length changes while it is read. */
const mostTries = 3

type Read = Readonly<{ entry: Entry; content: Uint8Array; release?(): void }>

/** The whole content of a file. @throws Failure('changed') when its length changes each time it is read */
export async function readSmallFile({ disk, signal }: FileContext, capability: Capability<'download'>): Promise<Read> {
  for (let tries = 0; tries < mostTries; tries++) {
    const { entry, content, release } = await disk.readWhole(capability, { longest: smallFile }, signal)
    if (content) return { entry, content, ...(release && { release }) }
  }
  throw new Failure('changed', 'a file changed while it was packed')
}
