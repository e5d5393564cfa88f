import { setTimeout } from 'node:timers/promises'
import { headOf, openIdleClients } from '../connection.ts'
import { makeBigFile } from '../made-files.ts'
import { memoryOf, socketsOf, untilAtRest, watchPeak } from '../process-cost.ts'
import type { Figures, Row, Way } from '../row.ts'
import { megabytes } from '../table.ts'
import { type Server, signIn, type Workplace } from '../workplace.ts'

const stalledDownloads = 100
const mebibytes = 256
/** Milliseconds for which the clients read nothing. */
const stall = 10_000

export const stalledRows: readonly Row[] = [
  {
    name: 'stalled',
    title: '100 stalled downloads: memory added at the peak',
    today: '+200 MB',
    reach: '+20 MB',
    // Each round has its own server, because a process keeps allocated memory.
    rounds: 2,
    prepare,
  },
]

async function prepare(place: Workplace): Promise<Way[]> {
  await makeBigFile(place.root, 'big.bin', mebibytes)
  return [{ name: 'holdall', run: () => withServer(place, memoryAdded) }]
}

async function withServer({ start }: Workplace, measure: (server: Server) => Promise<Figures>): Promise<Figures> {
  const server = await start()
  const figures = await measure(server)
  await server.stop()
  return figures
}

async function memoryAdded({ url, pid }: Server): Promise<Figures> {
  const request = headOf({ path: '/api/raw/big.bin', token: await signIn(url) })
  await untilAtRest(pid)
  const before = memoryOf(pid)
  const peak = watchPeak(pid)
  const close = await openIdleClients(url, stalledDownloads, request)
  await setTimeout(stall)
  peak.stop()
  const { anonymous, resident } = peak.memory()
  const held = megabytes(memoryOf(pid).anonymous - before.anonymous)
  const note = `+${held} MB own after ${stall / 1000} s, ${socketsOf(pid)} sockets open`
  close()
  return { memory: { anonymous: anonymous - before.anonymous, resident: resident - before.resident }, note }
}
