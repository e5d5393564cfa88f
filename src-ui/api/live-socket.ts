import type { LiveMessage, LiveRequest } from '../../src-server/contract/live.ts'
import { baseURL } from './page-config.ts'

export type { LiveMessage, LiveRequest }

export type LiveHandlers = {
  onMessage(message: LiveMessage): void
  /** Called once, also when the socket could not be opened. Why is not known. */
  onClose(): void
}

export type LiveSocket = {
  send(request: LiveRequest): unknown
  /** Nothing is called afterwards. */
  close(): void
}

/** Opens the socket of live folders. The session cookie authorizes it. */
export function openLiveSocket({ onMessage, onClose }: LiveHandlers): LiveSocket {
  const { protocol, host } = location
  const socket = new WebSocket(`${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${baseURL}/api/live`)
  socket.onmessage = ({ data }) => onMessage(JSON.parse(String(data)) as LiveMessage)
  socket.onclose = onClose
  return {
    send: (request) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(request)),
    close() {
      socket.onmessage = null
      socket.onclose = null
      socket.close()
    },
  }
}
