// Texts in other encodings than UTF-8: which one it is, and whether it can be written back byte for byte.
import { setImmediate } from 'node:timers/promises'
import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { Failure } from '../base/failure.ts'
import { westernness } from './western-texts.ts'

/** The encodings that texts are read and written in, by the names of the Encoding Standard. */
const encodings = [
  ...['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253', 'windows-1254'],
  ...['windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'iso-8859-1', 'iso-8859-2', 'iso-8859-5', 'iso-8859-6'],
  ...['iso-8859-7', 'iso-8859-8', 'iso-8859-9', 'iso-8859-15', 'koi8-r', 'koi8-u', 'shift_jis', 'euc-jp', 'gb18030', 'big5'],
  'euc-kr',
] as const
export type Encoding = (typeof encodings)[number]

/** @throws Failure('invalid') for a name that is not in the list */
export function encodingNamed(name: string): Encoding {
  const found = encodings.find((encoding) => encoding === name)
  if (!found) throw new Failure('invalid', `an encoding is one of ${encodings.join(', ')}`, { about: { field: 'encoding' } })
  return found
}

/** Those in which a character may have several bytes, so that random bytes are seldom valid. */
const severalBytes: ReadonlySet<Encoding> = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'])

/** A decoded text. */
export type Decoded = Readonly<{
  /** With its byte-order mark as the first character, if it has one. */
  text: string
  encoding: Encoding
  /** Whether encoding the text gives the same bytes: otherwise saving it would change characters that nobody has touched. */
  isExact: boolean
}>

/** Bytes that are decoded before the event loop runs once: about 3 milliseconds. */
const pieceSize = 128 << 10
/** Bytes around the first character that is not ASCII from which the encoding is guessed: about 10 milliseconds. */
const sampleSize = 16 << 10
/** How many guesses of chardet are tried: each costs two passes over the text. */
const mostGuesses = 3
/** What `westernness` says at least of a text of Western Europe, unless chardet is sure, in percent, that it is one. */
const [leastWestern, sure] = [-1, 40]
/** Where no letter tells: bytes of which chardet knows enough, and by how much one of Central Europe must lead then, in percent. */
const [leastKnown, leastLead] = [200, 20]
/** The confidence of chardet, in percent, from which a guess counts, and from which it counts although the bytes are not exact. */
const [likely, certain] = [15, 60]

/**
 * Decodes a text in the encoding that it is probably in.
 * @returns undefined when the bytes are not a text
 * @throws the signal's reason when it is aborted
 */
export async function decodeGuessing(bytes: Uint8Array, signal: AbortSignal): Promise<Decoded | undefined> {
  const marked = encodingByMark(bytes) ?? utf16ByZeros(bytes)
  if (marked) return readable(await decode(bytes, marked, signal))
  const plain = utf8Of(bytes)
  if (plain !== undefined) return { text: plain, encoding: 'utf-8', isExact: true }
  if (bytes.includes(0)) return undefined
  for (const { encoding, confidence } of guesses(bytes)) {
    const decoded = readable(await decode(bytes, encoding, signal))
    if (decoded?.isExact) return decoded
    // Such a text would be unreadable in the next encoding, which accepts any bytes.
    if (confidence >= certain && severalBytes.has(encoding)) return decoded
  }
  return undefined
}

/** Decodes a text in a given encoding. @throws the signal's reason when it is aborted */
export async function decode(bytes: Uint8Array, encoding: Encoding, signal: AbortSignal): Promise<Decoded> {
  if (encoding === 'utf-8') {
    const text = utf8Of(bytes)
    return { text: text ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), encoding, isExact: text !== undefined }
  }
  const decoder = iconv.getDecoder(encoding, { stripBOM: false })
  const encoder = iconv.getEncoder(encoding)
  const texts: string[] = []
  let compared = 0
  let isExact = true
  const add = (text: string, rest: Buffer | undefined) => {
    texts.push(text)
    for (const again of [encoder.write(text), rest ?? Buffer.alloc(0)]) {
      isExact &&= again.equals(bytes.subarray(compared, compared + again.length))
      compared += again.length
    }
  }
  for (let start = 0; start < bytes.length; start += pieceSize) {
    add(decoder.write(Buffer.from(bytes.subarray(start, start + pieceSize))), undefined)
    await setImmediate()
    signal.throwIfAborted()
  }
  add(decoder.end() ?? '', encoder.end())
  const text = texts.join('')
  // A lone surrogate cannot be sent as UTF-8.
  return { text, encoding, isExact: isExact && compared === bytes.length && text.isWellFormed() }
}

/** Bytes from which on UTF-16 without a mark is recognised. */
const leastGuessed = 16

/** Whether the first bytes of a file may be those of a text that is not UTF-8. */
export function isOtherText(sample: Uint8Array): boolean {
  // A few bytes with zeros among them are rather those of a program than of a text without a mark.
  if (encodingByMark(sample) ?? (sample.length >= leastGuessed ? utf16ByZeros(sample) : undefined)) return true
  return !sample.some((byte) => byte <= 8)
}

/**
 * Encodes a body in UTF-8 as another encoding while it is received.
 * @throws Failure('invalid') when the body is not UTF-8, or when the encoding lacks one of its characters
 */
export async function* encodeBody(body: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  if (encoding === 'utf-8') return yield* body
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let failure: unknown
  for await (const chunk of body) {
    // After a failure the rest is read and dropped: ending the body early would end the connection, and the answer with it.
    if (failure !== undefined) continue
    let encoded: Uint8Array | undefined
    try {
      encoded = encodeChecked(decodeChunk(decoder, chunk), encoding)
    } catch (error) {
      failure = error
    }
    if (encoded) yield encoded
  }
  if (failure !== undefined) throw failure
  yield encodeChecked(decodeChunk(decoder), encoding)
}

function decodeChunk(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    throw new Failure('invalid', 'the text is not UTF-8', { cause })
  }
}

function encodeChecked(text: string, encoding: Encoding): Uint8Array {
  const bytes = iconv.encode(text, encoding)
  if (decodesTo(bytes, encoding, text)) return bytes
  const missing = [...text].find((character) => !decodesTo(iconv.encode(character, encoding), encoding, character)) ?? ''
  const number = missing.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  const about = { encoding, character: missing, number: number ?? '' }
  throw new Failure('invalid', '{{encoding}} has no character for {{character}} U+{{number}}', { about })
}

const decodesTo = (bytes: Buffer, encoding: Encoding, text: string) => iconv.decode(bytes, encoding, { stripBOM: false }) === text

function encodingByMark([first, second]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

/** UTF-16 without a mark: most second bytes are zero, and no other bytes are. */
function utf16ByZeros(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, 512)
  const zeros = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  const most = sample.length / 4
  if (even === 0 && odd > most) return 'utf-16le'
  return odd === 0 && even > most ? 'utf-16be' : undefined
}

/** The mark is kept, so that an editor that saves the text does not remove it. */
function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** A text has no control characters up to U+0008. */
function readable(decoded: Decoded): Decoded | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for
  return /[\0-\x08]/.test(decoded.text) ? undefined : decoded
}

/** The encodings that the bytes may be in, the most probable first. The last accepts all bytes. */
function guesses(bytes: Uint8Array): Guess[] {
  const first = Math.max(0, firstBeyondAscii(bytes) - sampleSize / 2)
  const sample = bytes.subarray(first, first + sampleSize)
  const known = analyse(sample).flatMap(({ name, confidence }) => {
    // The Windows encoding has the same characters, and more.
    const encoding = encodings.find((one) => one === (name === 'ISO-8859-1' ? 'windows-1252' : name.toLowerCase()))
    return encoding && encoding !== 'utf-8' && confidence >= likely ? [{ encoding, confidence }] : []
  })
  const likeliest = known.slice(0, mostGuesses)
  return [...(latinGuess(sample, known) ?? []), ...likeliest, western, { encoding: 'iso-8859-1', confidence: 0 }]
}

type Guess = Readonly<{ encoding: Encoding; confidence: number }>

const western: Guess = { encoding: 'windows-1252', confidence: 0 }

/** What is likelier than the best guess, where chardet confuses languages of Europe. */
function latinGuess(sample: Uint8Array, [first, ...others]: readonly Guess[]): [Guess] | undefined {
  if (!first) return undefined
  const text = readAs(sample, western.encoding)
  if (first.encoding === western.encoding) {
    const isCentral = first.confidence < sure && westernness(text) < leastWestern
    return isCentral ? [{ encoding: hasControls(sample) ? 'windows-1250' : 'iso-8859-2', confidence: 0 }] : undefined
  }
  const isSame = text === readAs(sample, first.encoding)
  const { confidence } = others.find(({ encoding }) => encoding === western.encoding) ?? western
  const isLed = sample.length >= leastKnown && first.confidence - confidence >= leastLead
  return isWestern(text, { encoding: first.encoding, isSame, isLed }) ? [western] : undefined
}

/** `isSame`: whether it reads the same in the guessed encoding. `isLed`: whether chardet has reason to prefer that. */
type Rival = Readonly<{ encoding: Encoding; isSame: boolean; isLed: boolean }>

/** Whether a text that is taken for another is one of Western Europe. Of two names for the same letters it has that of the usual one. */
function isWestern(text: string, { encoding, isSame, isLed }: Rival): boolean {
  const signs = westernness(text)
  switch (encoding) {
    case 'iso-8859-2':
    case 'windows-1250':
      return signs > 0 || (signs === 0 && !isLed)
    case 'windows-1257':
      // Most words of the Baltic languages have one of these, as they are read then: ė š ž ā ē ī ū.
      return isSame || (signs > 1 && !/[ëðþâçîû]/iu.test(text))
    case 'windows-1258':
      return isSame
    case 'windows-1254':
    case 'iso-8859-9':
      // Turkish has no others.
      return isSame && /[^\0-\x7fçöüâîû]/iu.test(text)
    default:
      return false
  }
}

const readAs = (bytes: Uint8Array, encoding: Encoding): string => iconv.decode(Buffer.from(bytes), encoding)

/** Whether there are bytes that ISO-8859-2 has no letters for. */
const hasControls = (bytes: Uint8Array): boolean => bytes.some((byte) => byte >= 0x80 && byte < 0xa0)

function firstBeyondAscii(bytes: Uint8Array): number {
  let index = 0
  while (index < bytes.length && (bytes[index] ?? 0) < 0x80) index++
  return index
}
