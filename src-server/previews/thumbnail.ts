// Small pictures of big ones.

/** Pixels. A picture is made to fit inside and keeps its proportions; it is never enlarged. */
export type Box = Readonly<{ width: number; height: number }>

/** More pixels than this are refused: a small file can unfold to gigabytes. */
const mostPixels = 100_000_000

/**
 * @param source a picture's bytes, or a path that the caller is sure of
 * @returns a WebP picture, turned as its EXIF data says and without that data
 * @throws when it is no picture that can be read, or has more than 100 million pixels
 */
export async function makeThumbnail(source: Uint8Array | string, box: Box): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  // One thread a picture and nothing kept: many at once must neither starve requests nor fill memory.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp(source, { limitInputPixels: mostPixels })
    .autoOrient()
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer()
}
