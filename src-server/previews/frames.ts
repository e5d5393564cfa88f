// The messages between the server and a decoder, in both directions: the lengths of head and body (4 bytes each, big-endian), a
// head in JSON, and a body of bytes.

/** Bytes of the largest picture that is decoded. */
export const largestInput = 256 << 20
/** Bytes of the largest picture that a decoder makes. */
export const largestOutput = 16 << 20
/** Bytes of the largest head. */
const largestHead = 64 << 10

/** Bytes of the two lengths. */
export const lengthsSize = 8

/** The sizes of previews. */
export type PreviewSize = 'thumb' | 'big'

/** What a decoder is asked to do with the picture in the body. `describe` makes no picture. */
export type Task = PreviewSize | 'describe'

/** The media types of previews. */
export const previewTypes = ['image/webp', 'image/jpeg'] as const
export type PreviewType = (typeof previewTypes)[number]

/** Why a picture was not decoded; shown to the user. */
export type Refusal = Readonly<{ code: 'unsupported' | 'tooLarge'; message: string }>

/** The lengths of the two parts of a message. */
export type Lengths = Readonly<{ head: number; body: number }>

/** The beginning of a message: everything before its body. */
export function frameStart(head: unknown, body: number): Buffer {
  const text = Buffer.from(JSON.stringify(head))
  const lengths = Buffer.alloc(lengthsSize)
  lengths.writeUInt32BE(text.length, 0)
  lengths.writeUInt32BE(body, 4)
  return Buffer.concat([lengths, text])
}

/** Reads the lengths at the beginning of a message. @throws when one is larger than allowed */
export function lengthsIn(start: Buffer, largestBody: number): Lengths {
  const [head, body] = [start.readUInt32BE(0), start.readUInt32BE(4)]
  if (head > largestHead || body > largestBody) throw new Error('a message between server and decoder is too long')
  return { head, body }
}
