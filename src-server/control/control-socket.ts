// The socket of a running server for commands: lines of JSON, one for each call and one for each answer.
import { createServer, type Server, type Socket } from 'node:net'
import { makeControlFolder } from './control-folder.ts'
import { linesIn } from './lines.ts'

type ControlParts = Readonly<{
  /** With links resolved. */
  stateFile: string
  /** Answers a line with a line. Never rejects. */
  answer(line: string): Promise<string>
}>

/** Connections at a time: each is a command that somebody has typed. */
const mostConnections = 16

/** Milliseconds without a call after which a connection is closed. */
const longestIdle = 60_000

/**
 * Begins to listen. Only for who has the lock on the state.
 * @returns waits for the calls that run, and ends it
 * @throws an errno when no socket can be made there
 */
export async function listenForCommands({ stateFile, answer }: ControlParts): Promise<() => Promise<void>> {
  const folder = makeControlFolder(stateFile)
  const connections = new Connections(answer)
  const server = createServer((socket) => connections.add(socket))
  server.maxConnections = mostConnections
  try {
    await listen(server, folder.address)
  } catch (error) {
    folder.close()
    throw error
  }
  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    connections.end()
    await closed
    folder.close()
  }
}

class Connections {
  readonly #answer: ControlParts['answer']
  /** Those that wait for a call. */
  readonly #idle = new Set<Socket>()
  #isEnding = false

  constructor(answer: ControlParts['answer']) {
    this.#answer = answer
  }

  add(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    socket.setTimeout(longestIdle, () => this.#idle.has(socket) && socket.destroy())
    this.#idle.add(socket)
    this.#serve(socket)
      .catch(() => socket.destroy())
      .finally(() => this.#idle.delete(socket))
  }

  /** The calls that run are still answered. */
  end(): void {
    this.#isEnding = true
    for (const socket of this.#idle) socket.destroy()
  }

  async #serve(socket: Socket): Promise<void> {
    for await (const line of linesIn(socket)) {
      this.#idle.delete(socket)
      socket.write(`${await this.#answer(line)}\n`)
      if (this.#isEnding) break
      this.#idle.add(socket)
    }
    socket.end()
  }
}

/** The umask makes the socket this user's alone before it has a name. Node binds it in the call. */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    const before = process.umask(0o177)
    try {
      server.listen({ path }, () => resolve())
    } finally {
      process.umask(before)
    }
  })
}
