// What the bytes of one file say about its kind, and its text where it is text.
import type { ResourceType } from '../contract/files.ts'
import type { OpenFile } from '../disk/disk.ts'
import { promisedKind } from './kinds.ts'

/** Bytes; beyond it a file is a blob, whatever is in it. */
const largestText = 10 * 1024 * 1024
/** Bytes that the binary test looks at. */
const sampleSize = 512

type Inspected = { type: ResourceType; content?: string }

export type InspectHow = Readonly<{
  /** Decides where it promises a picture, a sound, a video or a PDF; the bytes decide between text and blob. */
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
  // Beyond the sample there may be bytes that are no UTF-8: shown as text and saved again they would be lost.
  return content === undefined ? { type: 'blob' } : { type: 'text', content }
}

/** A control character up to 8, or what is no UTF-8; a character cut in two by the sample's end is none of that. */
export function isBinary(sample: Uint8Array): boolean {
  if (sample.some((byte) => byte <= 8)) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: sample.length === sampleSize })
    return false
  } catch {
    return true
  }
}

/** The byte-order mark stays: what an editor saves is then what it was given. */
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
