import { join } from 'node:path'
import { ask, Connection } from '../connection.ts'
import { fillQuickly, makeBigFile } from '../made-files.ts'
import { costOf } from '../process-cost.ts'
import type { Row, Way } from '../row.ts'
import { timeTools } from '../tools.ts'
import { otherPerson, signIn, type Workplace } from '../workplace.ts'
import { slowestListing } from './archives.ts'

const title = 'SHA-256 of 2 GiB; the time below which 99 of 100 listings of another person stay, at rest and beside two of them'

export const hashRows: readonly Row[] = [
  { name: 'hash', title, today: '-', reach: '0.9 of sha256sum; 0.05 s', rounds: 3, prepare },
]

const path = '/api/resources/files/big.bin?checksum=sha256'

async function prepare(place: Workplace): Promise<Way[]> {
  fillQuickly(join(place.root, 'short'), 100)
  fillQuickly(join(place.root, 'files'), 1)
  const file = await makeBigFile(join(place.root, 'files'), 'big.bin', 2048)
  const server = await place.start()
  const [token, other] = [await signIn(server.url), await signIn(server.url, otherPerson)]
  const besideTwo = async () => {
    const two = [new Connection(server.url), new Connection(server.url)]
    // Again and again until the last listing; closing the connections ends them.
    const hashing = Promise.allSettled(
      two.map(async (connection) => {
        for (;;) await connection.send({ path, token })
      }),
    )
    const figures = await slowestListing(server, other)
    for (const connection of two) connection.close()
    await hashing
    return figures
  }
  return [
    { name: 'holdall', run: () => costOf(server.pid, () => ask(server.url, { path, token })) },
    { name: 'sha256sum', run: () => timeTools([['sha256sum', file]]) },
    { name: 'listing at rest', run: () => slowestListing(server, other) },
    { name: 'listing beside two', run: besideTwo },
  ]
}
