import { ask } from '../connection.ts'
import { block, makeBigFile } from '../made-files.ts'
import { startNginx } from '../nginx.ts'
import { costOf } from '../process-cost.ts'
import type { Row, Way } from '../row.ts'
import { isInstalled, timeTools } from '../tools.ts'
import { signIn, type Workplace } from '../workplace.ts'

type Work = { connections: number; mebibytes: number }

export const downloadRows: readonly Row[] = [
  row('download', '2 GiB down, one connection', '1.49 s', '0.75 s (nginx 0.95)', { connections: 1, mebibytes: 2048 }),
  row('downloads', '16 × 256 MiB down', '2.35 s', '1.2 s (nginx 1.18)', { connections: 16, mebibytes: 256 }),
]

function row(name: string, title: string, today: string, reach: string, work: Work): Row {
  return { name, title, today, reach, rounds: 5, prepare: (place) => prepare(place, work) }
}

async function prepare(place: Workplace, work: Work): Promise<Way[]> {
  const file = await makeBigFile(place.root, 'big.bin', work.mebibytes)
  const server = await place.start()
  const token = await signIn(server.url)
  const ways: Way[] = [
    { name: 'holdall', run: () => costOf(server.pid, () => fetchAll(server.url, '/api/raw/big.bin', work, token)) },
    { name: 'cat', run: () => timeTools(times(work.connections, () => ['cat', file])) },
  ]
  return isInstalled('nginx') ? [...ways, await nginxWay(place, work)] : ways
}

async function nginxWay(place: Workplace, work: Work): Promise<Way> {
  const nginx = await startNginx(place)
  return { name: 'nginx', run: () => costOf(nginx.pid, () => fetchAll(nginx.url, '/big.bin', work)) }
}

async function fetchAll(url: string, path: string, { connections, mebibytes }: Work, token?: string) {
  const request = token === undefined ? { path } : { path, token }
  const answers = await Promise.all(times(connections, () => ask(url, request)))
  for (const { bytes } of answers) if (bytes !== mebibytes * block.length) throw new Error(`${bytes} bytes arrived`)
}

function times<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: count }, make)
}
