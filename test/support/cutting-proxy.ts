// A proxy between a client and the server that cuts connections and refuses what is too long, as those of bad lines do.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { TestContext } from 'node:test'

type ProxyHow = {
  /** Of the server. */
  port: number
  /** Bytes of a body after which the connection is cut, and its server's too. */
  cutAfter?: number
  /** Milliseconds after which each connection is cut, whatever it carries then. */
  life?: number
  /** Bytes of all bodies after which nothing more is passed on, nor that the client has left. */
  holdAfter?: number | undefined
  /** Bytes of the longest body that is let through. */
  largest?: number
  /** Of how many pieces from now on a byte is changed. */
  spoil?: number
  /** What is answered in place of the server. */
  answer?: ((asked: IncomingMessage) => number | undefined) | undefined
}

/** May be changed while it runs. `calls`: method and status of each, 0 for one that was cut. */
export async function startProxy(t: TestContext, how: ProxyHow) {
  const calls: string[] = []
  const counts = { bytes: 0 }
  const begun = new WeakMap<Socket, number>()
  const server = createServer((asked, answer) => {
    const noted = (status: number) => void calls.push(`${asked.method} ${status}`)
    const status =
      how.answer?.(asked) ??
      (Number(asked.headers['content-length']) > (how.largest ?? Number.POSITIVE_INFINITY) ? 413 : undefined)
    if (status !== undefined) {
      noted(status)
      answer.writeHead(status, { Connection: 'close' }).end()
      return
    }
    const age = performance.now() - (begun.get(asked.socket) ?? 0)
    forward(asked, answer, how, { counts, noted, age })
  })
  server.on('connection', (socket) => begun.set(socket, performance.now()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { how, calls, counts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** `age`: of the connection, in milliseconds. */
type Notes = Readonly<{ counts: { bytes: number }; noted(status: number): void; age: number }>

function forward(asked: IncomingMessage, answer: ServerResponse, how: ProxyHow, { counts, noted, age }: Notes) {
  const { port, cutAfter, life } = how
  const { method, url, headers } = asked
  const onward = request({ port, host: '127.0.0.1', method, path: url, headers: { ...headers, connection: 'close' } })
  let bytes = 0
  let isCut = false
  const cut = () => {
    if (isCut) return
    isCut = true
    noted(0)
    onward.destroy()
    asked.socket.destroy()
  }
  const dying = life === undefined ? undefined : setTimeout(cut, Math.max(0, life - age))
  answer.on('close', () => clearTimeout(dying))
  let spoils = asked.method === 'PATCH' && (how.spoil ?? 0) > 0
  if (spoils) how.spoil = (how.spoil ?? 0) - 1
  asked.on('data', (chunk: Buffer) => {
    counts.bytes += chunk.length
    if (spoils) chunk[0] = (chunk[0] ?? 0) ^ 1
    spoils = false
    asked.pause()
    if (counts.bytes > (how.holdAfter ?? Number.POSITIVE_INFINITY)) return
    // Counted once the system has it: what the proxy still held would be lost with the connection.
    onward.write(chunk, () => {
      bytes += chunk.length
      if (bytes > (cutAfter ?? Number.POSITIVE_INFINITY)) cut()
      else asked.resume()
    })
  })
  asked.on('end', () => onward.end())
  onward.on('error', cut)
  onward.on('response', (said) => {
    if (isCut) return
    noted(said.statusCode ?? 0)
    answer.writeHead(said.statusCode ?? 0, said.headers)
    said.pipe(answer)
  })
}
