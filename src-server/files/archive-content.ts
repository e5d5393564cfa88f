import type { Capability } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { type Entry, FileShrunk, type OpenFile } from '../disk/disk.ts'
import type { FileContext } from './walk.ts'

/** Files up to this size, in bytes, are read whole, so that a failure to read them leaves them out and does not end the archive. */
export const smallFile = 1024 * 1024

/** Attempts for a file whose length changes while it is read. */
const mostTries = 3

type Read = Readonly<{ entry: Entry; content: Uint8Array }>

/** The whole content of a file. @throws Failure('changed') when its length changes each time it is read */
export async function readSmallFile({ disk, signal }: FileContext, capability: Capability<'download'>): Promise<Read> {
  for (let tries = 1; ; tries++) {
    const file = await disk.open(capability, signal)
    try {
      const content = await contentOf(file, signal)
      if (content) return { entry: file.entry, content }
    } finally {
      await file.close()
    }
    if (tries === mostTries) throw new Failure('changed', 'a file changed while it was packed')
  }
}

/** @returns undefined when the length has changed since the file was opened */
async function contentOf(file: OpenFile, signal: AbortSignal): Promise<Uint8Array | undefined> {
  // A file that was small when its folder was listed.
  if (file.entry.size > smallFile) return undefined
  if (!file.readInto) return Buffer.concat(await Array.fromAsync(file.read({ signal })))
  // One byte more than the file has: that it is missing says that the file has ended.
  const buffer = Buffer.allocUnsafeSlow(file.entry.size + 1)
  try {
    const length = await file.readInto(buffer, 0)
    return length === file.entry.size ? buffer.subarray(0, length) : undefined
  } catch (error) {
    if (!(error instanceof FileShrunk)) throw error
    return file.entry.size === 0 ? Buffer.alloc(0) : undefined
  }
}
