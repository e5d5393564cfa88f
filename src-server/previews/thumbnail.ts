// Makes thumbnails of pictures.

/** Pixels. A picture is scaled to fit inside and keeps its proportions. It is never enlarged. */
export type Box = Readonly<{ width: number; height: number }>

/** Larger pictures are refused: a small file can decompress to gigabytes. */
const mostPixels = 100_000_000

/**
 * @param source the bytes of a picture, or a path that the caller has checked
 * @returns a WebP picture, rotated as its EXIF data says and without that data
 * @throws when the source is not a supported picture, or has more than 100 million pixels
 */
export async function makeThumbnail(source: Uint8Array | string, box: Box): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  // One thread per picture and no cache, so that many pictures at once leave processors and memory for requests.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp(source, { limitInputPixels: mostPixels })
    .autoOrient()
    .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer()
}
