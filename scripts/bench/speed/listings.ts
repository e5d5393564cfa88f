import { join } from 'node:path'
import { ask } from '../connection.ts'
import { fillQuickly } from '../made-files.ts'
import { costOf } from '../process-cost.ts'
import type { Row, Way } from '../row.ts'
import { timeTools } from '../tools.ts'
import { signIn, type Workplace } from '../workplace.ts'

export const listingRows: readonly Row[] = [
  row('list-many', 100_000, '0.62 s', '0.4 s'),
  row('list', 10_000, '0.078 s', '0.05 s'),
]

function row(name: string, entries: number, today: string, reach: string): Row {
  const title = `list ${entries.toLocaleString('en')} entries`
  return { name, title, today, reach, rounds: 9, prepare: (place) => prepare(place, entries) }
}

async function prepare({ root, start }: Workplace, entries: number): Promise<Way[]> {
  const folder = fillQuickly(join(root, 'many'), entries)
  const server = await start()
  const token = await signIn(server.url)
  await expectEntries(server.url, token, entries)
  const request = { path: '/api/resources/many/', token }
  // Reads the same of each entry as the server: kind, permissions, size and time.
  const find = ['find', folder, '-printf', '%f %y %m %s %T@\\n']
  return [
    { name: 'holdall', run: () => costOf(server.pid, () => ask(server.url, request)) },
    { name: 'find -printf', run: () => timeTools([find]) },
  ]
}

async function expectEntries(url: string, token: string, entries: number) {
  const answer = await fetch(`${url}/api/resources/many/`, { headers: { 'X-Auth': token, Connection: 'close' } })
  const { numFiles } = (await answer.json()) as { numFiles: number }
  if (numFiles !== entries) throw new Error(`${numFiles} of ${entries} entries were listed`)
}
