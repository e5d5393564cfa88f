// Loads by abusive clients, limited in number and time.
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Connection, headOf, openIdleClients } from '../connection.ts'
import { block } from '../made-files.ts'
import { memoryOf, socketsOf } from '../process-cost.ts'
import { manyPeople, signIn } from '../workplace.ts'
import { memoryOfLong, memoryOfMany } from './archive-memory.ts'
import { folders } from './files.ts'

/** The target of the load; `token` is the administrator's, `root` the served folder. */
export type Target = Readonly<{ url: string; pid: number; token: string; root: string }>

export type LoadRow = Readonly<{
  name: string
  title: string
  /** @returns a description of the result, after the load */
  run(target: Target): Promise<string>
}>

/** Milliseconds: how long clients stay idle, and how long the memory must not have grown before they disconnect. */
const hold = 10_000
const steady = 3000
/** Bytes up to which a change of the memory is ignored. */
const slack = 4e6
/** Milliseconds after which clients disconnect in any case. */
const longest = 60_000

const archiveFormats = ['zip', 'tar', 'targz', 'tarbz2', 'tarxz', 'tarlz4', 'tarsz'] as const

export const loadRows: readonly LoadRow[] = [
  {
    name: 'pipelined',
    title: '1,000 pipelined listings of 1,000 entries on one connection',
    run: (target) => pipeline(target, 1000),
  },
  { name: 'sign-ins', title: '400 unfinished sign-in bodies of 1 MiB', run: (target) => idle(target, 400, unfinishedSignIn()) },
  {
    name: 'unread-listings',
    title: '24 unread listings of 60,000 entries',
    run: (target) => idle(target, 24, listing(target, folders.long.name)),
  },
  { name: 'listings', title: '200 concurrent listings of 1,000 entries', run: (target) => listAtOnce(target, 200) },
  {
    name: 'stalled-downloads',
    title: '100 stalled downloads',
    run: (target) => idle(target, 100, headOf({ path: '/api/raw/big.bin', token: target.token })),
  },
  { name: 'archives', title: '50 people who zip everything', run: (target) => zipAll(target) },
  ...archiveFormats.map((format) => ({
    name: `archive-memory-${format}`,
    title: `a ${format} of 20,000 files, at most 60 MB above one of 200 files`,
    run: (target: Target) => memoryOfMany(target, format),
  })),
  ...archiveFormats.map((format) => {
    const [length, unit] = format === 'zip' || format === 'tar' ? [5 * 2 ** 30, '5 GiB'] : [2 ** 28, '256 MiB']
    return {
      name: `archive-memory-long-${format}`,
      title: `a ${format} of one sparse file of ${unit}, at most 60 MB above one of 200 files`,
      run: (target: Target) => memoryOfLong(target, format, length),
    }
  }),
]

function listing({ token }: Target, folder: string) {
  return headOf({ path: `/api/resources/${folder}/`, token })
}

/** All but the last byte. */
function unfinishedSignIn() {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': block.length }
  const head = Buffer.from(headOf({ method: 'POST', path: '/api/login', headers }))
  return Buffer.concat([head, block.subarray(1)])
}

async function idle({ url, pid }: Target, count: number, bytes: string | Buffer): Promise<string> {
  const before = socketsOf(pid)
  const close = await openIdleClients(url, count, bytes)
  const started = performance.now()
  await setTimeout(hold)
  await untilSteady(pid, started + longest)
  // The connection of the second user is opened and closed meanwhile.
  const open = Math.min(count, Math.max(0, socketsOf(pid) - before))
  close()
  return `${open} connections open after ${((performance.now() - started) / 1000).toFixed(0)} s`
}

async function untilSteady(pid: number, end: number) {
  let largest = memoryOf(pid).anonymous
  for (let grown = performance.now(); performance.now() < Math.min(end, grown + steady); await setTimeout(100)) {
    const now = memoryOf(pid).anonymous
    if (now <= largest + slack) continue
    largest = now
    grown = performance.now()
  }
}

/** Sends all requests at once, and reads the answers as they arrive. */
function pipeline(target: Target, count: number): Promise<string> {
  const { hostname, port } = new URL(target.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const statuses = new Statuses()
  socket.on('data', (chunk) => statuses.take(chunk))
  socket.on('error', () => {})
  socket.setTimeout(hold, () => socket.destroy())
  const timer = globalThis.setTimeout(() => socket.destroy(), longest)
  socket.write(listing(target, folders.middle.name).repeat(count))
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(statuses.text())
    })
  })
}

async function listAtOnce({ url, token }: Target, count: number): Promise<string> {
  const statuses = new Statuses()
  const request = { path: `/api/resources/${folders.middle.name}/`, token }
  await Promise.all(
    Array.from({ length: count }, async () => {
      const connection = new Connection(url)
      await connection.send(request).then(
        ({ status }) => statuses.add(String(status)),
        () => statuses.add('no answer'),
      )
      connection.close()
    }),
  )
  return statuses.text()
}

/** They leave after a while: all of it would take minutes. */
async function zipAll({ url }: Target): Promise<string> {
  const tokens: string[] = []
  for (const name of manyPeople) tokens.push(await signIn(url, name))
  const statuses = new Statuses()
  const connections = tokens.map(() => new Connection(url))
  const all = connections.map(async (connection, index) => {
    const answer = connection.send({ path: '/api/raw/?algo=zip', token: tokens[index] ?? '' })
    await answer.then(
      ({ status }) => statuses.add(String(status)),
      () => statuses.add('still packing'),
    )
  })
  await Promise.race([Promise.all(all), setTimeout(2 * hold)])
  for (const connection of connections) connection.close()
  await Promise.all(all)
  return statuses.text()
}

/** Counts answers by their status. */
class Statuses {
  readonly #counts = new Map<string, number>()
  #carry = ''

  add(status: string): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
  }

  /** Bytes of answers, one after the other: no listing contains such a line. */
  take(bytes: Buffer): void {
    const text = this.#carry + bytes.toString('latin1')
    for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) this.add(status)
    this.#carry = /H(?:T(?:T(?:P(?:\/1?\.?1? ?\d{0,2})?)?)?)?$/.exec(text)?.[0] ?? ''
  }

  text(): string {
    return [...this.#counts].map(([status, count]) => `${count} × ${status}`).join(', ') || 'no answer'
  }
}
