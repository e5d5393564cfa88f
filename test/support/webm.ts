// A real video by bytes: each second is one VP8 key frame, which is also what a lossy WebP picture holds.
import sharp from 'sharp'

/** A video of a picture for each second, with an index for seeking. @param seconds at most 255 */
export async function webm(seconds: number, { width = 160, height = 90 } = {}): Promise<Buffer> {
  const frames = await Promise.all(Array.from({ length: seconds }, (_, second) => frameOf(second, width, height)))
  const clusters = frames.map((frame, second) =>
    element('1f43b675', element('e7', integer(second * 1000)), element('a3', Buffer.from([0x81, 0, 0, 0x80]), frame)),
  )
  const info = element('1549a966', element('2ad7b1', integer(1_000_000)), element('4489', double(seconds * 1000)))
  const video = element('e0', element('b0', integer(width)), element('ba', integer(height)))
  const track = element('ae', element('d7', integer(1)), element('73c5', integer(1)), element('83', integer(1)), codec, video)
  const head = Buffer.concat([info, element('1654ae6b', track)])
  // All numbers have a fixed length, so that the length of the index is known before its values.
  const start = head.length + cues(clusters.map(() => 0)).length
  const positions = clusters.map((_, index) => clusters.slice(0, index).reduce((sum, { length }) => sum + length, start))
  return Buffer.concat([header, element('18538067', head, cues(positions), ...clusters)])
}

const codec = element('86', Buffer.from('V_VP8'))
const header = element('1a45dfa3', element('4282', Buffer.from('webm')), element('4287', integer(2)), element('4285', integer(2)))

function cues(positions: readonly number[]): Buffer {
  const points = positions.map((position, second) =>
    element(
      'bb',
      element('b3', integer(second * 1000)),
      element('b7', element('f7', integer(1)), element('f1', integer(position))),
    ),
  )
  return element('1c53bb6b', ...points)
}

async function frameOf(second: number, width: number, height: number): Promise<Buffer> {
  const colour = { r: (second * 37) % 256, g: (second * 91) % 256, b: 120 }
  const webp = await sharp({ create: { width, height, channels: 3, background: colour } })
    .webp({ quality: 20 })
    .toBuffer()
  const at = webp.indexOf('VP8 ')
  return webp.subarray(at + 8, at + 8 + webp.readUInt32LE(at + 4))
}

/** An element of EBML (RFC 8794). @param id in hexadecimal digits */
function element(id: string, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 + content.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, content])
}

function integer(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
