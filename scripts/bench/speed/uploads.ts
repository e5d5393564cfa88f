import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { requireSpace } from '../../../test/support/real-files.ts'
import { ask, Connection, expectOk } from '../connection.ts'
import { block, fillQuickly, makeBigFile } from '../made-files.ts'
import { costOf } from '../process-cost.ts'
import type { Figures, Row } from '../row.ts'
import { settle, timeTools } from '../tools.ts'
import { type Server, signIn, type Workplace } from '../workplace.ts'

const mebibytes = 2048
const smallFiles = 1000
const connections = 5
const small = block.subarray(0, 4096)

export const uploadRows: readonly Row[] = [
  {
    name: 'upload',
    title: '2 GiB up, synced',
    today: '4.7 s',
    reach: '2.3 s (dd with fsync 1.9 to 3.3)',
    rounds: 5,
    prepare: prepareBig,
  },
  {
    name: 'upload-pieces',
    title: '2 GiB up in pieces of 64 MiB, each synced and recorded, and with a sha256 that it is compared with',
    today: 'none',
    reach: '1.25 times one request, which is compared with nothing',
    rounds: 5,
    prepare: preparePieces,
  },
  {
    name: 'small-uploads',
    title: '1,000 files of 4 KB up, 5 connections, each file and its folder synced, a fresh folder each round',
    today: '0.83 s',
    reach: '0.5 s',
    rounds: 7,
    prepare: prepareSmall,
  },
]

async function prepareBig(place: Workplace) {
  await requireSpace(place.root, mebibytes * block.length)
  const server = await place.start()
  const token = await signIn(server.url)
  const send = () => ask(server.url, { method: 'POST', path: '/api/resources/big.bin', token, body: { block, times: mebibytes } })
  const file = join(place.root, 'big.bin')
  const dd = ['dd', 'if=/dev/zero', `of=${file}`, 'bs=1M', `count=${mebibytes}`, 'conv=fsync']
  return [
    { name: 'holdall', run: () => intoNothing(file, () => costOf(server.pid, send)) },
    { name: 'dd conv=fsync', run: () => intoNothing(file, () => timeTools([dd])) },
  ]
}

async function preparePieces(place: Workplace) {
  await requireSpace(place.root, 2 * mebibytes * block.length)
  const sample = await makeBigFile(place.folder, 'sample.bin', mebibytes)
  const server = await place.start()
  const token = await signIn(server.url)
  const file = join(place.root, 'big.bin')
  const whole = () =>
    ask(server.url, { method: 'POST', path: '/api/resources/big.bin', token, body: { block, times: mebibytes } })
  return [
    { name: 'holdall, pieces', run: () => intoNothing(file, () => costOf(server.pid, () => sendPieces(server.url, token))) },
    {
      name: 'holdall, pieces with sha256',
      run: () =>
        intoNothing(file, () => costOf(server.pid, () => sendPieces(server.url, token, { 'Upload-Checksum': pieceSum }))),
    },
    { name: 'holdall, one request', run: () => intoNothing(file, () => costOf(server.pid, whole)) },
    { name: 'sha256sum of the same', run: () => timeTools([['sha256sum', sample]]) },
  ]
}

/** Blocks of one piece: as many as the page begins with. */
const pieceBlocks = 64
const pieceHash = createHash('sha256')
for (let times = 0; times < pieceBlocks; times++) pieceHash.update(block)
const pieceSum = `sha256 ${pieceHash.digest('base64')}`

async function sendPieces(url: string, token: string, sum = {}) {
  const tus = { 'Tus-Resumable': '1.0.0' }
  const length = mebibytes * block.length
  const headers = { ...tus, 'X-Auth': token, 'Upload-Length': String(length) }
  const begun = await fetch(`${url}/api/tus/big.bin`, { method: 'POST', headers })
  const path = begun.headers.get('Location')
  if (!path) throw new Error(`the upload was answered ${begun.status}`)
  const connection = new Connection(url)
  const type = { ...tus, 'Content-Type': 'application/offset+octet-stream', ...sum }
  try {
    for (let sent = 0; sent < length; sent += pieceBlocks * block.length) {
      const piece = { ...type, 'Upload-Offset': sent }
      const body = { block, times: pieceBlocks }
      const { status } = await connection.send({ method: 'PATCH', path, token, headers: piece, body })
      if (status !== 204) throw new Error(`a piece was answered ${status}`)
    }
  } finally {
    connection.close()
  }
}

/** Syncs the disk before the round, and removes the file after it. */
async function intoNothing(file: string, measure: () => Promise<Figures>): Promise<Figures> {
  await settle(join(file, '..'))
  const figures = await measure()
  const { size } = await stat(file)
  if (size !== mebibytes * block.length) throw new Error(`${size} bytes were written`)
  await rm(file)
  return figures
}

async function prepareSmall(place: Workplace) {
  const server = await place.start()
  const token = await signIn(server.url)
  const source = fillQuickly(join(place.folder, 'source'), smallFiles, small)
  return [
    { name: 'holdall', run: (round: number) => intoFresh(place, `up ${round}`, (name) => sendSmall(server, token, name)) },
    {
      name: 'cp, then sync of each',
      run: (round: number) => intoFresh(place, `copied ${round}`, (name) => copy(source, join(place.root, name))),
    },
  ]
}

/** Creating files is slower in a folder out of which many have been deleted. */
async function intoFresh({ root }: Workplace, name: string, measure: (name: string) => Promise<Figures>): Promise<Figures> {
  await mkdir(join(root, name))
  await settle(root)
  const figures = await measure(name)
  const { length } = await readdir(join(root, name))
  if (length !== smallFiles) throw new Error(`${length} files are there`)
  return figures
}

function sendSmall({ url, pid }: Server, token: string, folder: string) {
  let next = 1
  return costOf(pid, () => Promise.all(Array.from({ length: connections }, sendNext)))

  async function sendNext() {
    const connection = new Connection(url)
    while (next <= smallFiles) {
      const path = `/api/resources/${encodeURIComponent(folder)}/scan%20${next++}.tif`
      const request = { method: 'POST', path, token, body: { block: small, times: 1 } }
      expectOk(await connection.send(request), request)
    }
    connection.close()
  }
}

/** `sync` of coreutils opens and syncs each file that it is given, as the server does. */
async function copy(source: string, target: string): Promise<Figures> {
  const copied = await timeTools([['cp', '-r', `${source}/.`, target]])
  const files = readdirSync(target).map((name) => join(target, name))
  const synced = await timeTools([['sync', ...files, target]])
  return {
    seconds: (copied.seconds ?? 0) + (synced.seconds ?? 0),
    processor: (copied.processor ?? 0) + (synced.processor ?? 0),
  }
}
