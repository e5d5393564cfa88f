import type { TerminalMessage, TerminalRequest, terminalProtocol } from '../../src-server/contract/commands.ts'
import { encodePath } from './addresses.ts'
import { baseURL } from './page-config.ts'

export type { TerminalMessage, TerminalRequest }

export type CommandHandlers = {
  onOpen(): void
  onMessage(message: TerminalMessage): void
  /** Called once, also when the socket could not be opened. @param isRevoked the server closed it: rights or session have changed */
  onClose(isRevoked: boolean): void
}

export type CommandSocket = {
  send(request: TerminalRequest): void
  /** Ends the command. Nothing is called afterwards. */
  close(): void
}

/** Close code of RFC 6455 for what is not allowed. */
const refused = 1008

const protocol: typeof terminalProtocol = 'holdall.pty'

/** Opens the socket of one command, which runs in a folder. The session cookie authorizes it. */
export function openCommandSocket(folder: string, { onOpen, onMessage, onClose }: CommandHandlers): CommandSocket {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(`${scheme}//${location.host}${baseURL}/api/command${encodePath(folder)}`, protocol)
  socket.onopen = onOpen
  socket.onmessage = ({ data }) => onMessage(JSON.parse(String(data)) as TerminalMessage)
  socket.onclose = ({ code }) => onClose(code === refused)
  return {
    send: (request) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request))
    },
    close() {
      socket.onopen = null
      socket.onmessage = null
      socket.onclose = null
      socket.close()
    },
  }
}
