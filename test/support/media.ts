// Small real files of each kind that the preview shows.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'

/** A picture with a red left half and a blue right half. @param orientation of its EXIF data: 6 is turned to the right */
export async function picture(
  { width = 400, height = 300, orientation = 1 } = {},
  format: 'png' | 'jpeg' | 'webp' = 'png',
): Promise<Buffer> {
  const half = { width: Math.floor(width / 2), height, channels: 3 as const }
  const blue = await sharp({ create: { ...half, background: '#0000ff' } })
    .png()
    .toBuffer()
  const whole = sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: blue, left: width - half.width, top: 0 },
  ])
  return whole.withMetadata({ orientation }).toFormat(format).toBuffer()
}

/** Writes files below a folder. */
export async function writeMedia(folder: string, files: Readonly<Record<string, Uint8Array | string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
}
