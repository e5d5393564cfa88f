// The pictures of the screenshots: drawn, because photographs would be large.
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { pdf, tone } from '../../test/support/media.ts'
import { webm } from '../../test/support/webm.ts'

/** Name, colours of sky and ground, and the height of the horizon in per cent. */
const landscapes: readonly (readonly [name: string, sky: string, ground: string, horizon: number])[] = [
  ['Barn before the storm.jpg', '#5d6b7a', '#7a6a45', 60],
  ['Evening at the estuary.jpg', '#e8a87c', '#41506b', 55],
  ['Field edge in March.jpg', '#b8cfe0', '#7d9455', 48],
  ['Stone wall.jpg', '#d7d4cc', '#77756c', 35],
]

const camera = {
  IFD0: { Make: 'FUJIFILM', Model: 'X100V' },
  IFD2: {
    DateTimeOriginal: '2026:10:30 08:51:07',
    OffsetTimeOriginal: '+01:00',
    ExposureTime: '1/250',
    FNumber: '56/10',
    ISOSpeedRatings: '200',
    FocalLength: '23/1',
    LensModel: 'Fujinon 23 mm f/2',
  },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '54/1 4/1 12/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '2/1 16/1 48/1',
    GPSAltitude: '142/1',
  },
}

function landscape(sky: string, ground: string, horizon: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1620" height="1080">
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky}"/><stop offset="1" stop-color="#fff6e6"/></linearGradient>
    <linearGradient id="ground" x2="0" y2="1"><stop stop-color="${ground}"/><stop offset="1" stop-color="#1d211a"/></linearGradient>
    <rect width="1620" height="1080" fill="url(#sky)"/>
    <circle cx="1180" cy="${horizon * 8}" r="90" fill="#fff3d6"/>
    <path d="M0 ${horizon * 10.8}q400-90 810-20t810-30v800H0z" fill="url(#ground)"/></svg>`
}

/** Writes the pictures into a folder. */
export async function writeAlbum(folder: string, when: Date): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, sky, ground, horizon] of landscapes) {
    await sharp(Buffer.from(landscape(sky, ground, horizon)))
      .withExif(camera)
      .jpeg({ quality: 80 })
      .toFile(join(folder, name))
  }
  await writeFile(join(folder, 'scan-cloud.e57'), Buffer.alloc(40_000))
  await writeFile(join(folder, 'torn.png'), 'not a picture')
  await writeFile(join(folder, 'Swallows.webm'), await webm(30))
  await writeFile(join(folder, 'Dawn chorus.wav'), tone(20))
  await writeFile(join(folder, 'Programme.pdf'), pdf('Winter programme', 'Second part'))
  for (const name of await readdir(folder)) await utimes(join(folder, name), when, when)
}
