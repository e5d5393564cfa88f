import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { requireSpace } from '../../../test/support/real-files.ts'
import { ask, Connection } from '../connection.ts'
import { fillQuickly, fillWithText } from '../made-files.ts'
import { costOf } from '../process-cost.ts'
import type { Figures, Row, Way } from '../row.ts'
import { isInstalled, timeTools } from '../tools.ts'
import { otherPerson, type Server, signIn, type Workplace } from '../workplace.ts'

const mebibyte = 2 ** 20
const noiseLength = 2048

export const archiveRows: readonly Row[] = [
  // The ending says that the content is compressed already.
  smallFiles('zip-stored', { ending: 'jpg', reach: '0.55 s', flags: ['-0'] }),
  smallFiles('zip-deflated', { ending: 'txt', reach: '1.2 s (zip 1.47)', flags: [] }),
  { name: 'zip-noise', title: 'zip of 2 GiB of noise', today: '-', reach: '5.1 s (400 MB/s)', rounds: 3, prepare: prepareNoise },
  {
    name: 'zip-listing',
    title: "another person's listing while one zips a sparse file of 10 GiB: the time below which 99 of 100 stay",
    today: '-',
    reach: 'at most twice the time at rest',
    rounds: 5,
    prepare: prepareListings,
  },
]

type Small = { ending: string; reach: string; flags: readonly string[] }

function smallFiles(name: string, { ending, reach, flags }: Small): Row {
  const prepare = async (place: Workplace) => {
    for (let folder = 0; folder < 100; folder++) fillWithText(join(place.root, `folder ${folder}`), ending)
    return ways(place, ['zip', '-rq', ...flags, '-', place.root])
  }
  return { name, title: `zip of 20,000 files of 2 to 10 KB, ${ending}`, today: '-', reach, rounds: 5, prepare }
}

async function prepareNoise(place: Workplace): Promise<Way[]> {
  await requireSpace(place.root, noiseLength * mebibyte)
  const file = openSync(join(place.root, 'noise.bin'), 'wx')
  for (let written = 0; written < noiseLength; written++) writeSync(file, randomBytes(mebibyte))
  closeSync(file)
  return ways(place, ['cat', join(place.root, 'noise.bin')])
}

async function ways(place: Workplace, tool: string[]): Promise<Way[]> {
  const server = await place.start()
  const token = await signIn(server.url)
  const own: Way = {
    name: 'holdall',
    run: () => costOf(server.pid, () => ask(server.url, { path: '/api/raw/?algo=zip', token })),
  }
  const [program = ''] = tool
  return isInstalled(program) ? [own, { name: program, run: () => timeTools([tool]) }] : [own]
}

/** Listings that are timed in a round, and milliseconds between two of them. */
const [listings, pause] = [300, 10]

async function prepareListings(place: Workplace): Promise<Way[]> {
  fillQuickly(join(place.root, 'short'), 100)
  mkdirSync(join(place.root, 'long'))
  writeFileSync(join(place.root, 'long', 'disk.img'), '')
  truncateSync(join(place.root, 'long', 'disk.img'), 10 * 2 ** 30)
  const server = await place.start()
  const [token, other] = [await signIn(server.url), await signIn(server.url, otherPerson)]
  const timed = () => slowestListing(server, other)
  await timed()
  const whileZipping = async () => {
    const zip = new Connection(server.url)
    const ended = zip.send({ path: '/api/raw/long/?algo=zip', token }).then(
      () => true,
      () => false,
    )
    const figures = await timed()
    zip.close()
    return { ...figures, note: (await ended) ? 'the archive ended before the last listing' : '' }
  }
  return [
    { name: 'at rest', run: timed },
    { name: 'while one zips', run: whileZipping },
  ]
}

/** The time below which 99 of 100 listings stay. */
export async function slowestListing({ url }: Server, token: string): Promise<Figures> {
  const connection = new Connection(url)
  const seconds: number[] = []
  while (seconds.length < listings) {
    const started = performance.now()
    await connection.send({ path: '/api/resources/short/', token })
    seconds.push((performance.now() - started) / 1000)
    await setTimeout(pause)
  }
  connection.close()
  seconds.sort((one, other) => one - other)
  return { seconds: seconds[Math.floor(listings * 0.99)] ?? Number.NaN }
}
