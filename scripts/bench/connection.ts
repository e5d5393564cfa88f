// A cheap HTTP client: answers are counted and dropped, so that the benchmark measures the server and not itself.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const receiveBuffer = 1 << 20
const headEnd = '\r\n\r\n'
const lastChunk = '\r\n0\r\n\r\n'

/** `bytes` of the body, as they came over the wire. */
export type Answer = Readonly<{ status: number; bytes: number }>
export type Request = Readonly<{
  method?: string
  /** Percent-encoded. */
  path: string
  token?: string
  headers?: Readonly<Record<string, string | number>>
  /** The body consists of this block, `times` times. */
  body?: { block: Buffer; times: number }
}>

/** The head of a request, with its empty line. */
export function headOf({ method = 'GET', path, token, headers = {}, body }: Request): string {
  const all = {
    Host: 'localhost',
    ...(token === undefined ? {} : { 'X-Auth': token }),
    ...(body === undefined ? {} : { 'Content-Length': body.block.length * body.times }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}${headEnd}`
}

/** One connection, kept alive; one request at a time. */
export class Connection {
  readonly #socket: Socket
  #counter = new AnswerCounter()
  #done: (answer: Answer) => void = () => {}
  #failed: (error: Error) => void = () => {}

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    const buffer = Buffer.allocUnsafe(receiveBuffer)
    const callback = (length: number) => this.#receive(buffer.subarray(0, length))
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } })
    this.#socket.on('error', (error) => this.#failed(error))
    this.#socket.on('close', () => this.#failed(new Error('the server closed the connection before the answer was whole')))
  }

  /** @throws when the connection ends before the answer is whole */
  async send(request: Request): Promise<Answer> {
    const answered = new Promise<Answer>((done, failed) => {
      this.#counter = new AnswerCounter()
      this.#done = done
      this.#failed = failed
    })
    this.#socket.write(headOf(request))
    if (request.body) await Promise.race([this.#sendBody(request.body), answered])
    return answered
  }

  close(): void {
    this.#socket.destroy()
  }

  async #sendBody({ block, times }: { block: Buffer; times: number }) {
    for (let sent = 0; sent < times && !this.#socket.destroyed; sent++) {
      if (!this.#socket.write(block)) await new Promise<void>((resume) => this.#socket.once('drain', resume))
    }
  }

  #receive(bytes: Buffer): boolean {
    if (this.#counter.take(bytes)) this.#done(this.#counter.answer())
    return true
  }
}

/** Follows one answer to its end: by Content-Length, or by the last chunk. */
class AnswerCounter {
  #head = ''
  #status = 0
  #length: number | undefined
  #bytes = 0
  #tail = ''

  /** @returns whether the answer is whole */
  take(bytes: Buffer): boolean {
    const body = this.#status === 0 ? this.#readHead(bytes) : bytes
    if (body === undefined) return false
    this.#bytes += body.length
    if (this.#length !== undefined) return this.#bytes >= this.#length
    // JSON contains no unescaped line break, so these bytes can only be the end.
    this.#tail = (this.#tail + body.toString('latin1', Math.max(0, body.length - lastChunk.length))).slice(-lastChunk.length)
    return this.#tail === lastChunk
  }

  answer(): Answer {
    return { status: this.#status, bytes: this.#bytes }
  }

  #readHead(bytes: Buffer): Buffer | undefined {
    const before = this.#head.length
    this.#head += bytes.toString('latin1')
    const end = this.#head.indexOf(headEnd)
    if (end < 0) return undefined
    const head = this.#head.slice(0, end)
    this.#status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const length = /^content-length: (\d+)$/im.exec(head)?.[1]
    this.#length = this.#status === 204 ? 0 : length === undefined ? undefined : Number(length)
    return bytes.subarray(end + headEnd.length - before)
  }
}

/** One request on its own connection. @throws for any answer but 200 */
export async function ask(url: string, request: Request): Promise<Answer> {
  const connection = new Connection(url)
  try {
    return expectOk(await connection.send(request), request)
  } finally {
    connection.close()
  }
}

export function expectOk(answer: Answer, { method = 'GET', path }: Request): Answer {
  if (answer.status !== 200) throw new Error(`${method} ${path} was answered ${answer.status}`)
  return answer
}

/** Clients that send these bytes, each on its own connection, and read nothing of the answers. @returns a function that closes them */
export async function openIdleClients(url: string, count: number, bytes: string | Buffer): Promise<() => void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openIdle(url, bytes)))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

async function openIdle(url: string, bytes: string | Buffer): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  // Paused before it is connected, because Node would read once.
  socket.pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}
