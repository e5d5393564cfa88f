// The socket on which a person runs a command: in a terminal, or line by line for older clients.
import type { FastifyInstance } from 'fastify'
import { Value } from 'typebox/value'
import { Failure } from '../base/failure.ts'
import { parsedJson } from '../base/json.ts'
import { type TerminalMessage, TerminalRequest, terminalProtocol } from '../contract/commands.ts'
import type { Endpoints } from '../contract/endpoints.ts'
import { CommandRefused } from '../shell/own-commands.ts'
import type { Terminal } from '../shell/terminal.ts'
import type { Api } from './endpoint.ts'
import { type Connection, socket } from './socket.ts'

type CommandConnection = Connection<Endpoints['GET /api/command/*'], 'GET /api/command/*'>

/** Messages a second: keys come one by one. */
const received = { mostBytes: 65_536, mostPerSecond: 200 }

/** Characters of output that wait to be sent, after which the program waits. */
const mostUnsent = 1024 * 1024

/** Registers the socket for commands. */
export function commandCalls(app: FastifyInstance, api: Api): void {
  const handle = (connection: CommandConnection) =>
    connection.protocol === terminalProtocol ? runInTerminal(connection) : runInLines(connection)
  socket(app, api, 'GET /api/command/*', handle, {
    received,
    checkRights: ({ commands }) => commands.check(),
    beforeUpgrade: ({ commands, operation }) => commands.enter(operation),
  })
}

/** The first message with a text is the line; later ones are not read. A folder that is not there closes the socket without a word. */
async function runInLines({ commands, files, path, messages, send, operation }: CommandConnection): Promise<void> {
  for await (const line of messages) {
    if (line.trim() === '') continue
    try {
      const folder = await files.workingFolder(path)
      const command = await commands.ready(line.trim(), folder)
      await commands.inLines(command, folder, send, operation)
    } catch (error) {
      if (error instanceof CommandRefused) await send(error.message)
      else if (!(error instanceof Failure)) throw error
    }
    return
  }
}

async function runInTerminal(connection: CommandConnection): Promise<void> {
  const { commands, files, path, messages, operation } = connection
  const send = (message: TerminalMessage) => connection.send(JSON.stringify(message))
  const requests = messages[Symbol.asyncIterator]()
  const first = await requests.next()
  if (first.done) return
  const request = requestOf(first.value)
  if (request.kind !== 'run') throw new Failure('invalid', 'the first message must be "run"')
  const { line, columns, rows } = request
  try {
    const folder = await files.workingFolder(path)
    const command = await commands.ready(line, folder)
    const terminal = await commands.inTerminal(command, folder, { columns, rows }, operation)
    const written = writeOutput(terminal, send)
    await Promise.race([followRequests(requests, terminal), terminal.ended])
    const ending = await terminal.ended
    await written()
    await send({ kind: 'ended', ...ending })
  } catch (error) {
    if (!(error instanceof CommandRefused || error instanceof Failure)) throw error
    await send({ kind: 'refused', reason: error.message })
  }
}

/** @returns when the client has left, which ends the terminal */
async function followRequests(requests: AsyncIterator<string>, terminal: Terminal): Promise<void> {
  for (let next = await requests.next(); !next.done; next = await requests.next()) {
    const request = requestOf(next.value)
    if (request.kind === 'input') terminal.write(request.text)
    else if (request.kind === 'resize') terminal.resize(request.columns, request.rows)
  }
  await terminal.close()
}

/** Sends output as it comes. @returns what waits until all of it was sent */
function writeOutput(terminal: Terminal, send: (message: TerminalMessage) => Promise<void>): () => Promise<void> {
  let unsent = 0
  let last: Promise<void> = Promise.resolve()
  terminal.onOutput((text) => {
    unsent += text.length
    if (unsent > mostUnsent) terminal.pause()
    const sent = send({ kind: 'output', text })
    last = sent.then(
      () => {
        unsent -= text.length
        if (unsent <= mostUnsent / 2) terminal.resume()
      },
      // The socket has closed, which ends the terminal.
      () => {},
    )
  })
  return () => last
}

/** @throws Failure('invalid') */
function requestOf(text: string): TerminalRequest {
  const value = parsedJson(text)
  if (!Value.Check(TerminalRequest, value)) throw new Failure('invalid', 'no message of a terminal')
  return value
}
