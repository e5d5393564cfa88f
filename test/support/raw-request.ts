// Requests as bytes on a socket, so that no client normalizes the address.
import { connect, type Socket } from 'node:net'

export type RawAnswer = Readonly<{
  status: number
  /** Names in lower case; several values of a name are joined by a comma. */
  headers: Readonly<Record<string, string>>
  body: string
}>

type RawRequest = Readonly<{
  port: number
  method: string
  /** Sent unchanged, encoded as Latin-1. */
  address: string
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
}>

/** Sends one request and reads the answer to the end of the connection. @throws when the answer is not HTTP */
export async function rawRequest({ port, method, address, headers = {}, body = '' }: RawRequest): Promise<RawAnswer> {
  const length = body.length > 0 ? { 'Content-Length': String(Buffer.byteLength(body)) } : {}
  const all = { Host: '127.0.0.1', Connection: 'close', ...length, ...headers }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = Buffer.from(`${method} ${address} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1')
  return parseAnswer(await exchange(port, Buffer.concat([text, Buffer.from(body)])))
}

/** Sends bytes and reads until the server closes the connection. */
export function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => socket.end())
    socket.on('close', () => resolve(Buffer.concat(chunks)))
    // A reset after the answer also ends it.
    socket.on('error', (error) => (chunks.length > 0 ? resolve(Buffer.concat(chunks)) : reject(error)))
  })
}

/** Opens a connection and collects what it receives. */
export async function openSocket(port: number): Promise<{ socket: Socket; received(): string; ended: Promise<void> }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return { socket, received: () => text, ended }
}

export function parseAnswer(bytes: Buffer): RawAnswer {
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (end < 0 || Number.isNaN(status)) throw new Error(`no HTTP answer: ${JSON.stringify(text.slice(0, 200))}`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [name = '', value = ''] = line.split(/:\s*(.*)/s)
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value
  }
  return { status, headers, body: bytes.subarray(end + 4).toString() }
}
