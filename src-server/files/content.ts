// The kind of a file by its bytes, and its content when it is text.
import type { ResourceType } from '../contract/files.ts'
import type { OpenFile } from '../disk/disk.ts'
import { FileShrunk } from '../disk/driver.ts'
import { type Decoded, decode, decodeGuessing, encodingNamed, isOtherText } from './encodings.ts'
import { promisedKind } from './kinds.ts'

/** Size in bytes beyond which a file is a blob, whatever it contains. */
const largestText = 10 * 1024 * 1024
/** Number of bytes for the binary test. */
const sampleSize = 512

type Inspected = { type: ResourceType; content?: string; encoding?: string; isLossy?: true }

export type InspectHow = Readonly<{
  /** Decides for names of images, audio, video and PDF; the bytes decide between text and blob. */
  name: string
  /** Without it the first bytes alone decide. */
  withContent: boolean
  /** The encoding of the text, or `auto`. Then the bytes alone decide, and texts in other encodings than UTF-8 are read too. */
  encoding?: string | undefined
  signal: AbortSignal
}>

export async function inspect(file: OpenFile, { name, withContent, encoding, signal }: InspectHow): Promise<Inspected> {
  if (encoding !== undefined) return decodedAs(file, encoding, signal)
  const promised = promisedKind(name)
  if (promised && promised !== 'text') return { type: promised }
  if (file.entry.size > largestText) return { type: 'blob' }
  const sample = await sampleOf(file, { isEnough: !withContent, signal })
  // A client that does not get the text here cannot save it in the wrong encoding.
  if (!withContent) return { type: isBinary(sample) && !isOtherText(sample) ? 'blob' : 'text' }
  if (isBinary(sample)) return { type: 'blob' }
  const content = decoded(await firstBytes(file, largestText, signal))
  // After the sample there may be bytes that are not UTF-8: an editor that shows the text and saves it would lose them.
  return content === undefined ? { type: 'blob' } : { type: 'text', content }
}

/** @throws Failure('invalid') for an unknown encoding */
async function decodedAs(file: OpenFile, name: string, signal: AbortSignal): Promise<Inspected> {
  const encoding = name === 'auto' ? undefined : encodingNamed(name)
  if (file.entry.size > largestText) return { type: 'blob' }
  const bytes = await firstBytes(file, largestText, signal)
  const found = encoding ? await decode(bytes, encoding, signal) : await decodeGuessing(bytes, signal)
  return found ? shownText(found) : { type: 'blob' }
}

const shownText = ({ text, encoding, isExact }: Decoded): Inspected =>
  isExact ? { type: 'text', content: text, encoding } : { type: 'textImmutable', content: text, encoding, isLossy: true }

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

/** @param isEnough whether nothing else is read: a file that is written anew at that moment counts as empty */
async function sampleOf(file: OpenFile, { isEnough, signal }: { isEnough: boolean; signal: AbortSignal }): Promise<Uint8Array> {
  try {
    return await firstBytes(file, sampleSize, signal)
  } catch (error) {
    if (isEnough && error instanceof FileShrunk) return new Uint8Array()
    throw error
  }
}

async function firstBytes(file: OpenFile, limit: number, signal: AbortSignal) {
  const chunks: Uint8Array[] = []
  for await (const chunk of file.read({ end: limit - 1, signal })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
