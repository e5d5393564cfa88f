// Thumbnails of photographs: made by a server that has just started, and sent again from its cache.
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { ask } from '../connection.ts'
import { median } from '../measure.ts'
import type { Figures, Row, Way } from '../row.ts'
import { type Server, signIn, type Workplace } from '../workplace.ts'

const count = 20
/** Requests at a time: as many as the page sends. */
const atOnce = 4

export const thumbnailRows: readonly Row[] = [
  {
    name: 'thumbnails',
    title: `${count} thumbnails of 12 megapixels, cold, ${atOnce} at a time`,
    today: '-',
    reach: '0.6 s; warm 2 ms each',
    rounds: 5,
    prepare,
  },
]

async function prepare(place: Workplace): Promise<Way[]> {
  const { root } = place
  const photo = await photograph()
  const names = Array.from({ length: count }, (_, number) => `photograph ${number}.jpg`)
  for (const name of names)
    await sharp(photo)
      .withExif({ IFD0: { ImageDescription: name } })
      .toFile(join(root, name))
  return [
    { name: 'holdall', run: (round) => served(place, names, round) },
    { name: 'sharp in one process', run: () => timed(() => inTurns(names, (name) => shrink(join(root, name)))) },
  ]
}

/** Shapes and noise, of 12 megapixels and 4 MB. */
async function photograph(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const small = await sharp({ create: { width: 1000, height: 750, channels: 3, noise, background: '#888' } })
    .png()
    .toBuffer()
  return sharp(small).resize(4000, 3000).jpeg({ quality: 90 }).toBuffer()
}

/** A new server has no decoders, and a file with another time has no thumbnail in the cache. */
async function served({ root, start }: Workplace, names: readonly string[], round: number): Promise<Figures> {
  for (const name of names) utimesSync(join(root, name), round, round)
  const server = await start()
  try {
    const token = await signIn(server.url)
    const get = (name: string) => thumbnail(server, token, name)
    const { seconds } = await timed(() => inTurns(names, get))
    const warm: number[] = []
    for (const name of names) warm.push((await timed(() => get(name))).seconds)
    return { seconds, note: `warm ${(median(warm) * 1000).toFixed(1)} ms each` }
  } finally {
    await server.stop()
  }
}

async function thumbnail({ url }: Server, token: string, name: string) {
  await ask(url, { path: `/api/preview/thumb/${encodeURIComponent(name)}?inline=true`, token })
}

async function shrink(file: string) {
  await sharp(file).autoOrient().resize(512, 512, { fit: 'inside' }).webp({ quality: 78, effort: 0 }).toBuffer()
}

async function inTurns(names: readonly string[], work: (name: string) => Promise<unknown>) {
  const left = [...names]
  const worker = async () => {
    for (let name = left.shift(); name; name = left.shift()) await work(name)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function timed(work: () => Promise<unknown>): Promise<{ seconds: number }> {
  const began = performance.now()
  await work()
  return { seconds: (performance.now() - began) / 1000 }
}
