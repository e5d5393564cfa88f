import { connect } from 'node:net'

export type OpenDownload = Readonly<{
  status: number
  /** The cookie of the answer as a browser sends it back; '' without one. */
  cookie: string
  /** Reads on to the end of the connection. @returns the bytes of the whole answer */
  rest(): Promise<number>
  close(): void
}>

type Request = Readonly<{ port: number; address: string; from?: string; headers?: Readonly<Record<string, string>> }>

/** Asks for a download and reads only the first bytes of the answer. @param from the local address, such as 127.0.0.2 */
export function openDownload({ port, address, from = '127.0.0.1', headers = {} }: Request): Promise<OpenDownload> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    const lines = Object.entries({ Host: '127.0.0.1', Connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    socket.write(`GET ${address} HTTP/1.1\r\n${lines.join('')}\r\n`)
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
    })
    const closed = new Promise<void>((done) => socket.on('close', () => done()))
    socket.on('error', reject)
    socket.once('data', (chunk) => {
      socket.pause()
      const head = chunk.toString('latin1')
      const status = Number(head.split(' ')[1])
      const cookie = /^set-cookie: ([^;]*)/im.exec(head)?.[1] ?? ''
      const rest = () => {
        socket.resume()
        return closed.then(() => bytes)
      }
      resolve({ status, cookie, rest, close: () => void socket.destroy() })
    })
  })
}
