// What the trash costs, and jobs beside the calls that answer at the end of their work.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Job } from '../../../src-server/contract/jobs.ts'
import type { TrashList } from '../../../src-server/contract/trash.ts'
import type { StateData } from '../../../src-server/state/state-data.ts'
import { ask, Connection, expectOk } from '../connection.ts'
import { block, fillQuickly } from '../made-files.ts'
import { costOf } from '../process-cost.ts'
import type { Figures, Row, Way } from '../row.ts'
import { settle } from '../tools.ts'
import { type Server, signIn, type Workplace } from '../workplace.ts'

const content = block.subarray(0, 4096)
const many = 100_000
const copiedFiles = 10_000
const replacedFiles = 1000

export const trashRows: readonly Row[] = [
  {
    name: 'trash-many',
    title: `a folder of ${many} empty files goes into the trash, and comes back`,
    today: 'none',
    reach: '0.2 s each',
    rounds: 5,
    prepare: prepareMany,
  },
  {
    name: 'replace',
    title: `${replacedFiles} files of 4 KB are replaced, one after another on one connection`,
    today: 'none',
    reach: 'with the trash twice the time without it',
    rounds: 5,
    prepare: prepareReplace,
  },
  {
    name: 'copy-job',
    title: `copy a folder of ${copiedFiles} files of 4 KB`,
    today: 'none',
    reach: 'a job takes as long as a call',
    rounds: 3,
    prepare: prepareCopies,
  },
]

async function prepareMany({ root, start }: Workplace): Promise<Way[]> {
  fillQuickly(join(root, 'many'), many)
  const server = await start()
  const token = await signIn(server.url)
  await settle(root)
  const remove = () => ask(server.url, { method: 'DELETE', path: '/api/resources/many/', token })
  const restore = async () => {
    const items = (await call<TrashList>(server, token, 'GET', '/api/trash')).items.map(({ id }) => id)
    return costOf(server.pid, () => call(server, token, 'POST', '/api/trash/restore', { items }))
  }
  return [
    { name: 'holdall, into the trash', run: async () => isThere(root, false, await costOf(server.pid, remove)) },
    { name: 'holdall, back', run: async () => isThere(root, true, await restore()) },
  ]
}

function isThere(root: string, expected: boolean, figures: Figures): Figures {
  if (existsSync(join(root, 'many')) !== expected) throw new Error(`the folder is ${expected ? 'not back' : 'still there'}`)
  return figures
}

async function prepareReplace({ root, start }: Workplace): Promise<Way[]> {
  fillQuickly(join(root, 'with'), replacedFiles, content)
  fillQuickly(join(root, 'without'), replacedFiles, content)
  const names = await readdir(join(root, 'with'))
  const servers = [
    { name: 'holdall', folder: 'with', server: await start() },
    { name: 'holdall without a trash', folder: 'without', server: await start(withoutTrash) },
  ]
  return Promise.all(
    servers.map(async ({ name, folder, server }) => {
      const token = await signIn(server.url)
      const replace = async () => {
        const connection = new Connection(server.url)
        for (const file of names) {
          const path = `/api/resources/${folder}/${encodeURIComponent(file)}?override=true`
          const request = { method: 'POST', path, token, body: { block: content, times: 1 } }
          expectOk(await connection.send(request), request)
        }
        connection.close()
      }
      return { name, run: async () => settle(root).then(() => costOf(server.pid, replace)) }
    }),
  )
}

const withoutTrash = (state: StateData): StateData => ({
  ...state,
  settings: { ...state.settings, trash: { ...state.settings.trash, isOn: false } },
})

async function prepareCopies({ root, start }: Workplace): Promise<Way[]> {
  fillQuickly(join(root, 'source'), copiedFiles, content)
  const server = await start()
  const token = await signIn(server.url)
  const byCall = (into: string) => {
    const path = `/api/resources/source/?action=copy&destination=${encodeURIComponent(`/${into}/source/`)}`
    return ask(server.url, { method: 'PATCH', path, token })
  }
  const byJob = async (into: string) => {
    const id = randomUUID()
    await call(server, token, 'POST', '/api/jobs', { id, kind: 'copy', entries: ['/source'], to: `/${into}` })
    for (let state: Job['state'] = 'running'; state !== 'ended'; ) {
      await setTimeout(20)
      state = (await call<Job>(server, token, 'GET', `/api/jobs/${id}`)).state
    }
  }
  return [
    { name: 'holdall, a call', run: (round) => copied(root, `call-${round}`, (into) => costOf(server.pid, () => byCall(into))) },
    { name: 'holdall, a job', run: (round) => copied(root, `job-${round}`, (into) => costOf(server.pid, () => byJob(into))) },
  ]
}

/** Into a new folder, which stays: where files were just deleted, ext4 takes longer to make others. */
async function copied(root: string, into: string, measure: (into: string) => Promise<Figures>): Promise<Figures> {
  mkdirSync(join(root, into))
  await settle(root)
  const figures = await measure(into)
  const { length } = await readdir(join(root, into, 'source'))
  if (length !== copiedFiles) throw new Error(`${length} of ${copiedFiles} files were copied`)
  return figures
}

async function call<Reply>({ url }: Server, token: string, method: string, path: string, body?: object): Promise<Reply> {
  const headers = { 'X-Auth': token, 'Content-Type': 'application/json' }
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return JSON.parse(text || 'null') as Reply
}
