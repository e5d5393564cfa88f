import sharp from 'sharp'

/** The size of a picture in pixels, and which part of it is dark, from 0 to 1. */
export async function pixelsOf(picture: Buffer): Promise<{ width: number; height: number; dark: number }> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })
  const dark = data.filter((value) => value < 128).length / data.length
  return { width: info.width, height: info.height, dark }
}
