// The kind of a file by its bytes, and its content when it is text.
import type { ResourceType } from '../contract/files.ts'
import type { OpenFile } from '../disk/disk.ts'
import { promisedKind } from './kinds.ts'

/** Size in bytes beyond which a file is a blob, whatever it contains. */
const largestText = 10 * 1024 * 1024
/** Number of bytes for the binary test. */
const sampleSize = 512

type Inspected = { type: ResourceType; content?: string }

export type InspectHow = Readonly<{
  /** Decides for names of images, audio, video and PDF; the bytes decide between text and blob. */
  name: string
  /** Without it the first bytes alone decide. */
  withContent: boolean
  signal: AbortSignal
}>

export async function inspect(file: OpenFile, { name, withContent, signal }: InspectHow): Promise<Inspected> {
  const promised = promisedKind(name)
  if (promised && promised !== 'text') return { type: promised }
  if (file.entry.size > largestText || isBinary(await firstBytes(file, sampleSize, signal))) return { type: 'blob' }
  if (!withContent) return { type: 'text' }
  const content = decoded(await firstBytes(file, largestText, signal))
  // After the sample there may be bytes that are not UTF-8: an editor that shows the text and saves it would lose them.
  return content === undefined ? { type: 'blob' } : { type: 'text', content }
}

/** Whether there is a control character up to 8, or invalid UTF-8; a character that the end of the sample splits is valid. */
export function isBinary(sample: Uint8Array): boolean {
  if (sample.some((byte) => byte <= 8)) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: sample.length === sampleSize })
    return false
  } catch {
    return true
  }
}

/** The byte-order mark is kept, so that an editor that saves the text does not remove it. */
function decoded(bytes: Uint8Array) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

async function firstBytes(file: OpenFile, limit: number, signal: AbortSignal) {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.read({ end: limit - 1, signal })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
