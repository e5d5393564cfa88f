// Requests of every kind to every call of the server, valid or not, some of which their client leaves half-way.
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { endpoints } from '../../src-server/contract/endpoints.ts'
import { nastyNames } from './nasty-names.ts'
import type { SeededRandom } from './seeded-random.ts'

type Target = Readonly<{ url: string; token: string; random: SeededRandom }>

/** When the client leaves: before the answer, after its head, after its first bytes, or not at all. */
const leaves = ['sent', 'head', 'data', 'never', 'never', 'never'] as const

/** Calls that would end the session or take the administrator's rights. */
const excluded =
  /^(POST \/api\/logout|DELETE \/api\/sessions|PUT \/api\/settings|(PUT|DELETE) \/api\/users|POST \/api\/(login|signup))/
const calls = Object.keys(endpoints).filter((name) => !excluded.test(name))

const names = ['a.txt', 'b.png', 'c.bin', 'd', 'e', 'film.vtt', 'x.zip', ...nastyNames.filter((name) => name.length < 100)]

const queries = {
  action: ['rename', 'copy', 'move', 'other'],
  destination: ['/d', '/e/a.txt', '/d/e/x', '%2F..%2Fx', '/b.png'],
  override: ['true', 'false', 'maybe'],
  rename: ['true', 'false'],
  algo: ['zip', 'tar', 'targz', 'tarbz2', 'tarxz', 'tarlz4', 'tarsz', 'none'],
  checksum: ['md5', 'sha256', 'none'],
  files: ['a.txt,b.png', 'd', '%2e%2e', ''],
  inline: ['true', 'x'],
  query: ['a', 'type:image', '"', ''],
  content: ['false', 'true'],
  limit: ['1', '-1', '10'],
  name: ['a.txt', '../x'],
} as const

/** Sends requests, some at a time, until all have ended. @returns how often each status was answered; 0 without an answer */
export async function sendRandomRequests(target: Target, count: number): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 12 })
  const statuses = new Map<number, number>()
  let left = count
  const sendSome = async () => {
    while (left-- > 0) {
      const status = await sendOne(target, agent)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: 12 }, sendSome))
  agent.destroy()
  return statuses
}

function sendOne(target: Target, agent: Agent): Promise<number> {
  const { url, random } = target
  const [method = '', pattern = ''] = random.pick(calls).split(' ')
  const leave = random.pick(leaves)
  const address = addressOf(pattern, random)
  const body = bodyOf(method, random)
  const sent = request(url, { agent, method, path: address, headers: headersOf(target, body) })
  sent.end(body)
  return ended(sent, leave)
}

function ended(sent: ClientRequest, leave: (typeof leaves)[number]): Promise<number> {
  return new Promise((resolve) => {
    let status = 0
    sent.on('response', (answer: IncomingMessage) => {
      status = answer.statusCode ?? 0
      if (leave === 'head') sent.destroy()
      if (leave === 'data') answer.once('data', () => sent.destroy())
      answer.resume()
    })
    sent.on('upgrade', (_, socket) => {
      status = 101
      socket.destroy()
    })
    sent.on('error', () => {})
    sent.once('close', () => resolve(status))
    if (leave === 'sent') sent.once('finish', () => setImmediate(() => sent.destroy()))
  })
}

function addressOf(pattern: string, random: SeededRandom): string {
  const path = pattern
    .replace('*', () => pathOf(random))
    .replace(':size', () => random.pick(['thumb', 'big', 'other']))
    .replace(/:\w+/g, () => random.pick(['1', '2', 'x', 'AAAAAAAAAAAAAAAAAAAAAA']))
  const asked = Object.entries(queries).filter(() => random.below(4) === 0)
  const query = asked.map(([name, values]) => `${name}=${random.pick<string>(values)}`).join('&')
  return query === '' ? path : `${path}?${query}`
}

function pathOf(random: SeededRandom): string {
  const parts = Array.from({ length: random.below(4) }, () => encodeURIComponent(random.pick(names)))
  return parts.join('/') + random.pick(['', '', '/'])
}

/** Long bodies are written while they are received, short ones by the calls that name the file. */
const content = Buffer.alloc(3 << 20, 'content ')

function bodyOf(method: string, random: SeededRandom): Buffer | undefined {
  if (method === 'GET' || method === 'DELETE') return undefined
  const kinds = [
    () => content.subarray(0, random.below(200_000)),
    () => content.subarray(0, random.below(content.length)),
    () => Buffer.from(random.pick(['{}', '{"files":["a.txt"]}', '[', 'null', '{"expires":"1","unit":"hours"}'])),
    () => Buffer.alloc(0),
  ]
  return random.pick(kinds)()
}

function headersOf({ token, random }: Target, body: Buffer | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  if (random.below(10) > 0) headers['X-Auth'] = token
  if (body) headers['Content-Length'] = String(body.length)
  if (body && random.below(2) > 0) headers['Content-Type'] = 'application/json'
  if (random.below(8) === 0) headers.Range = random.pick(['bytes=0-10', 'bytes=-5', 'bytes=9-', 'bytes=5-1', 'x'])
  if (random.below(8) === 0) headers['If-None-Match'] = random.pick(['*', '"x"'])
  if (random.below(8) === 0) headers['If-Match'] = random.pick(['*', '"x"'])
  if (random.below(12) === 0) {
    headers.Connection = 'Upgrade'
    headers.Upgrade = 'websocket'
    headers['Sec-WebSocket-Version'] = '13'
    headers['Sec-WebSocket-Key'] = 'AAAAAAAAAAAAAAAAAAAAAA=='
  }
  return headers
}
