// A command's connection to a running server.
import { connect, type Socket } from 'node:net'
import { openControlFolder } from './control-folder.ts'
import { linesIn } from './lines.ts'

/** Sends a line and resolves with the line that answers it. */
export type ControlConnection = Readonly<{ ask(line: string): Promise<string>; close(): void }>

/**
 * Connects to the server of a state.
 * @param stateFile with links resolved
 * @param owner the id of the user to whom the state belongs
 * @returns undefined when no server listens: none runs, or it was killed
 * @throws an errno, such as EACCES for the server of another user
 */
export async function connectToServer(stateFile: string, owner: number): Promise<ControlConnection | undefined> {
  try {
    const folder = openControlFolder(stateFile, owner)
    // Only the connecting needs the folder.
    const socket = await connected(folder.address).finally(() => folder.close())
    return connection(socket)
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code))) return undefined
    throw error
  }
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

function connection(socket: Socket): ControlConnection {
  // The end of the lines tells.
  socket.on('error', () => socket.destroy())
  const lines = linesIn(socket)
  const ask = async (line: string) => {
    socket.write(`${line}\n`)
    const { value, done } = await lines.next().catch(() => ({ value: '', done: true }))
    if (done === true) throw new Error('the server has ended the connection')
    return value ?? ''
  }
  return { ask, close: () => socket.destroy() }
}
