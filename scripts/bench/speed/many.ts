// A server with many users, links and rules beside one with few, over the same files.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Connection, expectOk, type Request } from '../connection.ts'
import { fillQuickly } from '../made-files.ts'
import { type Amounts, manyState, ruledUser } from '../many-state.ts'
import { median } from '../measure.ts'
import { type Cost, costOf } from '../process-cost.ts'
import type { Figures, Row, Way } from '../row.ts'
import { otherPerson, type Server, signIn, type Workplace } from '../workplace.ts'

const few = { users: 10, links: 10, paths: 9, expressions: 1 }
const many = { users: 1000, links: 10_000, paths: 1000, expressions: 100 }

const content = Buffer.from('page\n'.repeat(200))

/** A server and the person with the rules, who is signed in. `hash` is that of a link. */
type RowContext = Readonly<{ server: Server; token: string; connection: Connection; hash: string; id: number }>

/** @param times requests of one round: a single one is too short to be measured */
type Work = Readonly<{ title: string; times: number; once(asked: RowContext, count: number): Promise<unknown> }>

const works: Readonly<Record<string, Work>> = {
  'many-sign-in': {
    title: 'sign-ins, with the hash of the password',
    times: 5,
    once: ({ server }) => signIn(server.url, otherPerson),
  },
  'many-renew': {
    title: 'renewals of a token: what a sign-in does besides the hash',
    times: 50,
    once: (asked) => send(asked, { method: 'POST', path: '/api/renew' }),
  },
  'many-list-100': {
    title: 'listings of 100 entries',
    times: 50,
    once: (asked) => send(asked, { path: '/api/resources/hundred/' }),
  },
  'many-list-1000': {
    title: 'listings of 1,000 entries',
    times: 20,
    once: (asked) => send(asked, { path: '/api/resources/thousand/' }),
  },
  'many-open': {
    title: 'openings of a link to a file',
    times: 100,
    once: (asked) => send(asked, { path: `/api/public/share/${asked.hash}/`, isPublic: true }),
  },
  'many-download': {
    title: 'downloads of 1 KB by a link',
    times: 100,
    once: (asked) => send(asked, { path: `/api/public/dl/${asked.hash}/`, isPublic: true }),
  },
  'many-upload': {
    title: 'uploads of 1 KB, each synced, after which links are looked for',
    times: 50,
    once: (asked, count) =>
      send(asked, {
        method: 'POST',
        path: `/api/resources/uploads/${asked.server.pid}-${count}.txt`,
        body: { block: content, times: 1 },
      }),
  },
  'many-change': { title: 'changes of a user, each of which writes the state', times: 50, once: changeUser },
  'many-link': {
    title: 'new links, each of which writes the state',
    times: 50,
    once: (asked, count) =>
      sendJson(asked, { method: 'POST', path: '/api/share/hundred' }, { expires: `${1 + count}`, unit: 'days' }),
  },
}

export const manyRows: readonly Row[] = Object.entries(works).map(([name, work]) => ({
  name,
  title: `${work.times} ${work.title}`,
  today: '-',
  reach: 'twice the time with few users, links and rules',
  rounds: 7,
  prepare: (place) => prepare(place, work),
}))

async function prepare(place: Workplace, work: Work): Promise<Way[]> {
  fillQuickly(join(place.root, 'hundred'), 100)
  fillQuickly(join(place.root, 'uploads'), 0)
  const files = readdirSync(fillQuickly(join(place.root, 'thousand'), 1000, content)).map((name) => `/thousand/${name}`)
  const seconds = { few: [] as number[], many: [] as number[] }
  const asked = { few: await begin(place, few, files), many: await begin(place, many, files) }
  const run = async (which: 'few' | 'many', round: number) => {
    const figures = await measure(asked[which], work, round)
    seconds[which].push(figures.seconds)
    return figures
  }
  const compared = (figures: Figures) => ({
    ...figures,
    note: `${(median(seconds.many) / median(seconds.few)).toFixed(2)} times`,
  })
  return [
    { name: amountsOf(few), run: (round) => run('few', round) },
    { name: amountsOf(many), run: async (round) => compared(await run('many', round)) },
  ]
}

function amountsOf({ users, links, paths, expressions }: Amounts) {
  return [users, links, paths + expressions].map((count) => count.toLocaleString('en')).join(' / ')
}

async function begin(place: Workplace, amounts: Amounts, files: readonly string[]): Promise<RowContext> {
  const server = await place.start((state) => manyState(state, amounts, files))
  const { id, hash } = ruledUser
  return { server, token: await signIn(server.url, otherPerson), connection: new Connection(server.url), id, hash }
}

/** The first round has half the requests more, before the measurement: code is compiled then, and caches are filled. */
async function measure(asked: RowContext, { times, once }: Work, round: number): Promise<Cost> {
  const start = round * 1000
  if (round === 1) for (let count = 0; count < times / 2; count++) await once(asked, count)
  return costOf(asked.server.pid, async () => {
    for (let count = 0; count < times; count++) await once(asked, start + count)
  })
}

async function send({ connection, token }: RowContext, { isPublic, ...request }: Request & { isPublic?: boolean }) {
  return expectOk(await connection.send({ ...request, ...(!isPublic && { token }) }), request)
}

function sendJson(asked: RowContext, request: Request, value: unknown) {
  const block = Buffer.from(JSON.stringify(value))
  return send(asked, { ...request, headers: { 'Content-Type': 'application/json' }, body: { block, times: 1 } })
}

/** Another user than the one with the rules, as an administrator. */
async function changeUser(asked: RowContext, count: number) {
  const data = { id: asked.id + 1, locale: count % 2 === 0 ? 'de' : 'fr' }
  await sendJson(asked, { method: 'PUT', path: `/api/users/${data.id}` }, { what: 'user', which: ['locale'], data })
}
