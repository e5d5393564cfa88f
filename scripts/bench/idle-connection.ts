// Clients that send something and read nothing of what comes back.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Each sends these bytes on a connection of its own. @returns closes them */
export async function openIdleClients(url: string, count: number, bytes: string | Buffer): Promise<() => void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openIdle(url, bytes)))
  return () => {
    for (const socket of sockets) socket.destroy()
  }
}

async function openIdle(url: string, bytes: string | Buffer): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  // Before it is connected, or Node reads once by itself.
  socket.pause()
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}
