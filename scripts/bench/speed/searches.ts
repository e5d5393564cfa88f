import { mkdirSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { ask } from '../connection.ts'
import { costOf } from '../process-cost.ts'
import type { Figures, Row, Way } from '../row.ts'
import { timeTools } from '../tools.ts'
import { signIn, type Workplace } from '../workplace.ts'

export const searchRows: readonly Row[] = [
  {
    name: 'search',
    title: 'search in 200,000 names in 2,000 folders, 20 of which are found',
    today: '-',
    reach: '0.09 s; first result 0.03 s',
    rounds: 15,
    prepare,
  },
]

const [outer, inner, files] = [20, 100, 100]
/** In every hundredth folder, one file. */
const wanted = 'zebra'

async function prepare({ root, start }: Workplace): Promise<Way[]> {
  for (let one = 0; one < outer; one++)
    for (let other = 0; other < inner; other++) fillFolder(join(root, `f ${one}`, `p ${other}`), other)
  const server = await start()
  const token = await signIn(server.url)
  const path = `/api/search/?query=${wanted}`
  const answer = await fetch(server.url + path, { headers: { 'X-Auth': token, Connection: 'close' } })
  const found = ((await answer.json()) as unknown[]).length
  if (found !== outer) throw new Error(`${found} of ${outer} were found`)
  const lines = { 'X-Auth': token, Accept: 'application/x-ndjson', Connection: 'close' }
  return [
    { name: 'holdall', run: () => costOf(server.pid, () => ask(server.url, { path, token })) },
    { name: 'holdall, first result', run: () => untilFirstByte(server.url + path, lines) },
    { name: 'find -iname', run: () => timeTools([['find', root, '-iname', `*${wanted}*`]]) },
  ]
}

function fillFolder(folder: string, number: number) {
  mkdirSync(folder, { recursive: true })
  const name = (file: number) => (number === 50 && file === 50 ? `the ${wanted}.jpg` : `Survey of the north field ${file}.jpg`)
  for (let file = 0; file < files; file++) writeFileSync(join(folder, name(file)), '')
}

/** Seconds until the first bytes of the body. */
function untilFirstByte(url: string, headers: Record<string, string>): Promise<Figures> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const request = get(url, { headers }, (answer) => {
      answer.once('data', () => {
        resolve({ seconds: (performance.now() - begun) / 1000 })
        answer.resume()
      })
    })
    request.on('error', reject)
  })
}
