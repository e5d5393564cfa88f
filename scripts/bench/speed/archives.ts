import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { requireSpace } from '../../../test/support/real-files.ts'
import { ask } from '../connection.ts'
import { costOf } from '../process-cost.ts'
import type { Row, Way } from '../row.ts'
import { isInstalled, timeTools } from '../tools.ts'
import { signIn, type Workplace } from '../workplace.ts'

const mebibyte = 2 ** 20
const noiseLength = 2048

export const archiveRows: readonly Row[] = [
  // The ending says that the content is compressed already.
  smallFiles('zip-stored', { ending: 'jpg', reach: '0.55 s', flags: ['-0'] }),
  smallFiles('zip-deflated', { ending: 'txt', reach: '1.2 s (zip 1.47)', flags: [] }),
  { name: 'zip-noise', title: 'zip of 2 GiB of noise', today: '-', reach: '5.1 s (400 MB/s)', rounds: 3, prepare: prepareNoise },
]

type Small = { ending: string; reach: string; flags: readonly string[] }

function smallFiles(name: string, { ending, reach, flags }: Small): Row {
  const prepare = async (place: Workplace) => {
    for (let folder = 0; folder < 100; folder++) fillFolder(join(place.root, `folder ${folder}`), ending)
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

function fillFolder(folder: string, ending: string) {
  mkdirSync(folder)
  for (let number = 0; number < 200; number++)
    writeFileSync(join(folder, `Survey ${number}.${ending}`), textOf(2048 + ((number * 41) % 8192)))
}

/** Words that repeat, and numbers that do not. */
function textOf(length: number) {
  let text = ''
  while (text.length < length) text += `the north field has ${randomBytes(3).toString('hex')} plots; `
  return text.slice(0, length)
}
