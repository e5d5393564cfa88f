// Clients of the socket for commands.
import type { TerminalMessage, TerminalRequest } from '../../src-server/contract/commands.ts'
import { terminalProtocol } from '../../src-server/contract/commands.ts'
import type { TestApp } from './start-app.ts'
import { until } from './until.ts'

export type CommandClient = Readonly<{
  /** All received texts. */
  texts: readonly string[]
  /** Resolves with the close code. */
  closed: Promise<number>
  send(text: string): void
  close(): void
}>

/** Opens the socket. @throws when it is refused */
export async function openCommand(
  { url }: Pick<TestApp, 'url'>,
  token: string | undefined,
  path = '/',
  protocols: string[] = [],
): Promise<CommandClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/command${encodeURI(path)}?auth=${token}`, protocols)
  const texts: string[] = []
  socket.addEventListener('message', ({ data }) => void texts.push(String(data)))
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('the socket did not open')))
  })
  return { texts, closed, send: (text) => socket.send(text), close: () => socket.close() }
}

/** Runs a line as older clients do. @returns the lines of output, when the socket has closed */
export async function runLine(app: Pick<TestApp, 'url'>, token: string | undefined, line: string, path = '/') {
  const client = await openCommand(app, token, path)
  client.send(line)
  await client.closed
  return client.texts
}

/** A terminal in which a command runs. */
export async function openTerminalClient(app: Pick<TestApp, 'url'>, token: string | undefined, line: string, path = '/') {
  const client = await openCommand(app, token, path, [terminalProtocol])
  const send = (request: TerminalRequest) => client.send(JSON.stringify(request))
  send({ kind: 'run', line, columns: 80, rows: 24 })
  const messages = () => client.texts.map((text) => JSON.parse(text) as TerminalMessage)
  const output = () =>
    messages()
      .map((message) => (message.kind === 'output' ? message.text : ''))
      .join('')
  return {
    ...client,
    messages,
    output,
    type: (text: string) => send({ kind: 'input', text }),
    resize: (columns: number, rows: number) => send({ kind: 'resize', columns, rows }),
    shows: (text: string) => until(() => output().includes(text), `the terminal shows ${text}`),
  }
}
