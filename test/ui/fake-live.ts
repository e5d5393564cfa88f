// A socket of live folders that tests speak through.
import type { LiveMessage, LiveRequest } from '../../src-server/contract/live.ts'
import type { LiveHandlers, LiveSocket } from '../../src-ui/api/live-socket.ts'
import { Live, liveSlice } from '../../src-ui/core/live.ts'
import { presenceSlice } from '../../src-ui/core/presence.ts'
import { user } from '../../src-ui/core/session.ts'
import { Workspace } from '../../src-ui/core/workspace.ts'

export type FakeSocket = {
  sent: LiveRequest[]
  isClosed: boolean
  /** The server sends a message. */
  tell(message: LiveMessage): void
  /** The connection is lost. */
  lose(): void
}

export type FakeLive = {
  workspace: Workspace
  live: Live
  /** Every socket that was opened. */
  sockets: FakeSocket[]
  last(): FakeSocket
}

/** A workspace of the signed-in user, whose page is visible, with a network of its own. @param random as `Math.random` */
export function startLive({ random = () => 0.5 }: { random?: () => number } = {}): FakeLive {
  const workspace = new Workspace(user)
  const sockets: FakeSocket[] = []
  const connect = (handlers: LiveHandlers): LiveSocket => {
    const socket: FakeSocket = {
      sent: [],
      isClosed: false,
      tell: (message) => void (socket.isClosed || handlers.onMessage(message)),
      lose: () => void (socket.isClosed || handlers.onClose()),
    }
    sockets.push(socket)
    return {
      send: (request) => socket.sent.push(request),
      close: () => {
        socket.isClosed = true
      },
    }
  }
  const live = workspace.provide(liveSlice, new Live(workspace, connect, random))
  workspace.use(presenceSlice).isVisible.value = true
  return { workspace, live, sockets, last: () => sockets.at(-1) as FakeSocket }
}
