import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from '../connection.ts'
import { block, fillQuickly } from '../made-files.ts'
import { costOf } from '../process-cost.ts'
import type { Figures, Row, Way } from '../row.ts'
import { settle, timeTools } from '../tools.ts'
import { signIn, type Workplace } from '../workplace.ts'

const files = 3000
const content = block.subarray(0, 4096)

export const treeRows: readonly Row[] = [
  {
    name: 'copy',
    title: 'copy a folder of 3,000 files of 4 KB (the server syncs each file, cp does not)',
    today: '2.0 to 5.0 s',
    reach: '0.8 s',
    rounds: 7,
    prepare: prepareCopy,
  },
  {
    name: 'delete',
    title: 'delete a folder of 3,000 files of 4 KB',
    today: '1.2 to 1.4 s',
    reach: '0.2 s',
    rounds: 7,
    prepare: prepareDelete,
  },
]

async function prepareDelete({ root, start }: Workplace): Promise<Way[]> {
  const server = await start()
  const token = await signIn(server.url)
  const requestFor = (name: string) => ({ method: 'DELETE', path: `/api/resources/${name}/`, token })
  const byServer = (name: string) => costOf(server.pid, () => ask(server.url, requestFor(name)))
  const byTool = (name: string) => timeTools([['rm', '-r', join(root, name)]])
  return [
    { name: 'holdall', run: (round) => deleted(root, `one-${round}`, byServer) },
    { name: 'rm -r', run: (round) => deleted(root, `other-${round}`, byTool) },
  ]
}

async function deleted(root: string, name: string, measure: (name: string) => Promise<Figures>): Promise<Figures> {
  fillQuickly(join(root, name), files, content)
  await settle(root)
  const figures = await measure(name)
  if (existsSync(join(root, name))) throw new Error(`${name} is still there`)
  return figures
}

async function prepareCopy({ root, start }: Workplace): Promise<Way[]> {
  const source = fillQuickly(join(root, 'source'), files, content)
  const server = await start()
  const token = await signIn(server.url)
  const requestFor = (name: string) => {
    const path = `/api/resources/source/?action=copy&destination=${encodeURIComponent(`/${name}/`)}`
    return { method: 'PATCH', path, token }
  }
  const byServer = (name: string) => costOf(server.pid, () => ask(server.url, requestFor(name)))
  const byTool = (name: string) => timeTools([['cp', '-r', source, join(root, name)]])
  return [
    { name: 'holdall', run: (round) => copied(root, `one-${round}`, byServer) },
    { name: 'cp -r', run: (round) => copied(root, `other-${round}`, byTool) },
  ]
}

async function copied(root: string, name: string, measure: (name: string) => Promise<Figures>): Promise<Figures> {
  await settle(root)
  const figures = await measure(name)
  const { length } = await readdir(join(root, name))
  if (length !== files) throw new Error(`${length} of ${files} files were copied`)
  return figures
}
