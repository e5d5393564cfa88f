// Pictures for tests: ordinary ones, and such that are made to harm whoever decodes them.
import { constants, crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

type Colour = 'red' | 'blue' | 'green'
type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'tiff'

/** A picture of one colour. Width and height in pixels. */
export function picture(format: Format, width: number, height: number, background: Colour = 'red'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** A picture of two frames: red, then blue. */
export async function moving(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all((['red', 'blue'] as const).map((colour) => picture('png', 40, 30, colour)))
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

/** A JPEG of 60 × 40 pixels, red on its left and blue on its right, whose EXIF data say that its right side is the top. */
export async function turned(): Promise<Buffer> {
  const left = await picture('png', 30, 40, 'red')
  return sharp({ create: { width: 60, height: 40, channels: 3, background: 'blue' } })
    .composite([{ input: left, left: 0, top: 0 }])
    .withExif({ IFD0: { Make: 'Holdall' } })
    .withMetadata({ orientation: 8 })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** A photograph of 60 × 40 pixels with camera data and a place. */
export async function photograph(): Promise<Buffer> {
  return sharp(await picture('png', 60, 40))
    .withExif({ ...cameraExif, IFD0: { Make: 'Holdall', Model: 'H 1' } })
    .jpeg()
    .toBuffer()
}

/** A PNG whose pixels are all zero; it is small whatever its size. Width and height in pixels. */
export function zeroPng(width: number, height: number, { bits = 8, channels = 1, interlaced = false } = {}): Buffer {
  const colourType = { 1: 0, 3: 2, 4: 6 }[channels] ?? 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, colourType, 0, 0, interlaced ? 1 : 0], 8)
  const bytes = interlaced ? adam7(width, height, (bits * channels) / 8) : height * (1 + Math.ceil((width * bits * channels) / 8))
  const parts = [chunk('IHDR', header), chunk('IDAT', zeros(bytes)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

/** An SVG around `content`. */
export function svg(content: string, size = 64): string {
  const names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
  return `<svg ${names} width="${size}" height="${size}" viewBox="0 0 64 64">${content}</svg>`
}

/** An SVG that takes minutes to draw. */
export const slowSvg = svg(
  `<filter id="f" x="0" y="0" width="1" height="1">${'<feTurbulence baseFrequency="0.9" numOctaves="200"/><feMorphology operator="dilate" radius="9"/>'.repeat(60)}</filter>
  <rect width="64" height="64" filter="url(#f)"/>`,
)

/** Bytes of the seven passes of an interlaced PNG, each row with its filter byte. */
function adam7(width: number, height: number, pixel: number): number {
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const
  const counts = passes.map(([left, top, right, down]) => {
    const [columns, rows] = [Math.ceil((width - left) / right), Math.ceil((height - top) / down)]
    return columns > 0 && rows > 0 ? rows * (1 + columns * pixel) : 0
  })
  return counts.reduce((sum, count) => sum + count, 0)
}

const piece = 1 << 20

/** A zlib stream of zeros: compressed pieces are repeated, so that no gigabytes are compressed. */
function zeros(bytes: number): Buffer {
  const flushed = deflateSync(Buffer.alloc(piece), { finishFlush: constants.Z_FULL_FLUSH })
  const [start, repeated] = [flushed.subarray(0, 2), flushed.subarray(2)]
  // Without its header of two bytes and its checksum.
  const last = deflateSync(Buffer.alloc(bytes % piece)).subarray(2, -4)
  // Adler-32 of zeros: the first sum stays 1, the second counts the bytes.
  const sum = Buffer.alloc(4)
  sum.writeUInt16BE(bytes % 65_521, 0)
  sum.writeUInt16BE(1, 2)
  return Buffer.concat([start, ...Array<Buffer>(Math.floor(bytes / piece)).fill(repeated), last, sum])
}

function chunk(name: string, contents: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), contents])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(contents.length, 0)
  named.copy(framed, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** EXIF data of a camera, as sharp takes them. */
export const cameraExif = {
  IFD0: { Make: 'Hold\tall', Model: 'M'.repeat(300), Orientation: '6' },
  IFD2: {
    DateTimeOriginal: '2026:11:19 08:31:40',
    OffsetTimeOriginal: '+02:00',
    ExposureTime: '1/250',
    FNumber: '28/10',
    ISOSpeedRatings: '200',
    FocalLength: '35/1',
    LensModel: '35 mm',
  },
  IFD3: {
    GPSLatitudeRef: 'S',
    GPSLatitude: '51/1 30/1 0/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 15/1 0/1',
    GPSAltitude: '35/1',
  },
}
