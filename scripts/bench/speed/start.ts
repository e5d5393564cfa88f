// The start over a large tree, and the memory of the idle server; no folder of the tree may be read during the start.
import { readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from '../connection.ts'
import { fillQuickly } from '../made-files.ts'
import { memoryOf, processorTime, untilAtRest } from '../process-cost.ts'
import type { Figures, Row, Way } from '../row.ts'
import { timeTools } from '../tools.ts'
import type { Workplace } from '../workplace.ts'

const folders = 3500
const filesPerFolder = 100

export const startRows: readonly Row[] = [
  {
    name: 'start',
    title: 'start to first answer, over a tree of 350,000 files; processor time and memory once it is at rest',
    today: '0.23 s, 165 MB',
    reach: '0.2 s, 90 MB, no walk of the tree',
    rounds: 5,
    prepare,
  },
]

async function prepare({ root, start }: Workplace): Promise<Way[]> {
  const tree = Array.from({ length: folders }, (_, number) => fillQuickly(join(root, `${number % 50}/${number}`), filesPerFolder))
  return [
    { name: 'holdall', run: () => startOver(start, tree) },
    { name: 'node --version', run: () => timeTools([[process.execPath, '--version']]) },
    { name: 'find (a walk)', run: () => timeTools([['find', root]]) },
  ]
}

async function startOver(start: Workplace['start'], tree: readonly string[]): Promise<Figures> {
  for (const folder of tree) makeUnread(folder)
  const server = await start()
  const asked = performance.now()
  await ask(server.url, { path: '/health' })
  const seconds = server.untilListening + (performance.now() - asked) / 1000
  await untilAtRest(server.pid)
  const figures = { seconds, processor: processorTime(server.pid), memory: memoryOf(server.pid), note: reads(tree) }
  await server.stop()
  return figures
}

/** With relatime, reading a folder updates its access time only if its content has changed since the last read. */
function makeUnread(folder: string) {
  utimesSync(folder, 1000, Date.now() / 1000)
}

function reads(tree: readonly string[]): string {
  const read = tree.filter(wasRead).length
  const [first = ''] = tree
  if (read === 0 && !isToldByDisk(first)) return 'the file system does not tell whether folders were read (noatime)'
  return `${read} of ${tree.length} folders were read`
}

function wasRead(folder: string) {
  return statSync(folder).atimeMs > 1_000_000
}

function isToldByDisk(folder: string) {
  readdirSync(folder)
  return wasRead(folder)
}
