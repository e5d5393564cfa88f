// Makes previews of pictures. Runs in a decoder: pictures come from anybody, and a decoder is a large amount of native code.
import type { Metadata, Sharp } from 'sharp'
import type { Resolution } from '../contract/previews.ts'
import type { PreviewSize, PreviewType, Refusal } from './frames.ts'

/** Larger pictures are refused: a small file can decompress to gigabytes. */
const mostPixels = 100_000_000
/** Bytes of the largest SVG. */
const largestSvg = 2 << 20

/** Pixels. A preview fits inside a square of this size, in the proportions of the picture. Only SVG is enlarged. */
const sides: Readonly<Record<PreviewSize, number>> = { thumb: 512, big: 2048 }

/** A preview: the first frame, rotated as the EXIF data says, without any metadata. */
export type Rendered = Readonly<{ type: PreviewType; bytes: Buffer }>

/** The picture cannot be decoded, or must not be. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Loads the decoder and restricts it to the supported formats. @throws when this machine has no decoder */
export async function prepareSharp(): Promise<void> {
  const { default: sharp } = await import('sharp')
  // One thread for a picture: the server runs several decoders instead.
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) })
}

/** The decoders of libvips that may be used. Those of AVIF and HEIC are one. */
const formats = ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif', 'Tiff', 'Svg']

/** @throws Refused */
export async function render(picture: Uint8Array, size: PreviewSize): Promise<Rendered> {
  const { image, metadata } = await opened(picture)
  const isSvg = metadata.format === 'svg'
  const side = sides[size]
  const fitted = image.autoOrient().resize({ width: side, height: side, fit: 'inside', withoutEnlargement: !isSvg })
  // Thumbnails are WebP, which is smaller. A large WebP takes three times as long to make as a JPEG.
  const isJpeg = size === 'big' && !metadata.hasAlpha
  const encoded = isJpeg ? fitted.jpeg({ quality: 82 }) : fitted.webp({ quality: 78, effort: 0 })
  return { type: isJpeg ? 'image/jpeg' : 'image/webp', bytes: await decoded(() => encoded.toBuffer()) }
}

/** The size in pixels as the picture is shown, and its EXIF data, which begin like a TIFF. @throws Refused */
export async function headerOf(picture: Uint8Array): Promise<{ resolution: Resolution; exif?: Uint8Array }> {
  const { metadata } = await opened(picture)
  const { width, height } = metadata.autoOrient
  const exif = metadata.format === 'tiff' ? picture : metadata.exif
  return { resolution: { width, height }, ...(exif && { exif: withoutPrefix(exif) }) }
}

/** `Exif`, NUL, NUL: JPEG and WebP have it before the data. */
function withoutPrefix(exif: Uint8Array): Uint8Array {
  return exif[0] === 0x45 && exif[4] === 0 ? exif.subarray(6) : exif
}

async function opened(picture: Uint8Array): Promise<{ image: Sharp; metadata: Metadata }> {
  const { default: sharp } = await import('sharp')
  // Many pictures of cameras have small faults that only lead to warnings.
  const image = sharp(picture, { limitInputPixels: mostPixels, failOn: 'error' })
  const metadata = await decoded(() => image.metadata())
  if (metadata.width * metadata.height > mostPixels) throw tooManyPixels()
  if (metadata.format === 'svg') checkSvg(picture)
  return { image, metadata }
}

function checkSvg(picture: Uint8Array) {
  // Its references cannot be looked for.
  if (isCompressed(picture)) throw new Refused({ code: 'unsupported', message: 'there are no previews of compressed SVG' })
  if (picture.length > largestSvg) throw new Refused({ code: 'tooLarge', message: 'an SVG may have at most 2 MiB' })
  if (refersOutside(picture)) throw new Refused({ code: 'unsupported', message: 'the picture refers to other files' })
}

/** Whether it begins as gzip does. */
const isCompressed = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b

async function decoded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && /exceeds pixel limit|dimensions? .*too large|too large/i.test(error.message))
      throw tooManyPixels()
    throw new Refused({ code: 'unsupported', message: 'the picture cannot be decoded' })
  }
}

function tooManyPixels() {
  return new Refused({ code: 'tooLarge', message: 'a picture may have at most 100 megapixels' })
}

// Finds references of an SVG to anything outside of it. The renderer follows none of them, so that such a picture would be shown
// without its parts: it is refused instead.

/** An address that is not inside the picture: neither a fragment nor data. */
const outside = String.raw`(?!\s*(?:#|data:))\s*[^\s"']`

const references: readonly RegExp[] = [
  // Of any element except links, which load nothing until somebody follows them.
  new RegExp(String.raw`<(?!a[\s>])[a-z][^<>]*?\s(?:[a-z]+:)?(?:href|src)\s*=\s*["']${outside}`, 'i'),
  new RegExp(String.raw`url\(\s*["']?${outside}`, 'i'),
  /@import/i,
  /<\?xml-stylesheet/i,
  // Entities could hide a reference, and can expand to gigabytes.
  /<!ENTITY/i,
  /<(?:[a-z]+:)?(?:include|foreignObject|script|iframe)[\s>]/i,
]

/** @param picture an SVG in any encoding that the renderer reads */
function refersOutside(picture: Uint8Array): boolean {
  const text = textOf(picture)
  return references.some((reference) => reference.test(text))
}

/** UTF-16 is known by its byte-order mark or by the NUL of its first character. */
function textOf(picture: Uint8Array): string {
  const [first, second] = picture
  if ((first === 0xff && second === 0xfe) || second === 0) return new TextDecoder('utf-16le').decode(picture)
  if ((first === 0xfe && second === 0xff) || first === 0) return new TextDecoder('utf-16be').decode(picture)
  return new TextDecoder('utf-8').decode(picture)
}
