import { baseURL } from './page-config.ts'

export type LinkHandlers = {
  /** The link is followed: called at once and every 25 seconds. */
  onAlive(): void
  /** Called once, also when the socket could not be opened. @param isChange whether the server has closed it, because of a change */
  onClose(isChange: boolean): void
}

/** Opens the socket of a public link. The cookie of its password authorizes it. @returns closes it; nothing is called afterwards */
export function openLinkSocket(hash: string, { onAlive, onClose }: LinkHandlers): () => void {
  const { protocol, host } = location
  const server = `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${baseURL}`
  const socket = new WebSocket(`${server}/api/public/live/${encodeURIComponent(hash)}`)
  let isFollowed = false
  socket.onmessage = () => {
    isFollowed = true
    onAlive()
  }
  socket.onclose = ({ code }) => onClose(isFollowed && code === 1000)
  return () => {
    socket.onmessage = null
    socket.onclose = null
    socket.close()
  }
}
