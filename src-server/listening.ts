// From an instance that is ready to one that people reach, and back.
import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { StartupProblem } from './base/startup-problem.ts'
import type { Options } from './options/options.ts'
import { clearSocket, openSocketToGroup } from './options/places.ts'

/** Where people find the server: an address for a browser, or the socket's file. @throws StartupProblem */
export async function listen(app: FastifyInstance, options: Options): Promise<string> {
  await app.ready()
  if (options.socket !== undefined) return listenOnSocket(app, options.socket)
  try {
    await app.listen({ host: options.address, port: options.port })
  } catch (cause) {
    throw new StartupProblem(problemOf(cause, options), { cause })
  }
  return addressOf(app, options)
}

async function listenOnSocket(app: FastifyInstance, socket: string) {
  await clearSocket(socket)
  try {
    await app.listen({ path: socket })
  } catch (cause) {
    throw new StartupProblem(
      `--socket ${socket} cannot be listened on (${codeOf(cause)}): name a file in a folder that can be written.`,
      { cause },
    )
  }
  openSocketToGroup(socket)
  return socket
}

function problemOf(cause: unknown, { address, port }: Options): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${address} is in use by another program: stop that one, or name another with --port.`
  if (code === 'EACCES') return `Port ${port} needs rights that this user does not have: name one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--address ${address} is no address of this machine: name one that is, or 0.0.0.0 for all.`
  return `The server cannot listen on ${address}, port ${port} (${code}): name others with --address and --port.`
}

function codeOf(error: unknown) {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

function addressOf(app: FastifyInstance, { address, baseURL, tls }: Options): string {
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return `${tls ? 'https' : 'http'}://${isIPv6(address) ? `[${address}]` : address}:${port}${baseURL}/`
}

/** Milliseconds that running requests have to end. */
const shutdownGrace = 10_000

/**
 * Stops accepting, lets running requests end for ten seconds, and cuts what is left.
 * @returns when every connection is closed
 */
export async function stop(app: FastifyInstance, grace = shutdownGrace): Promise<void> {
  // A connection that has answered its last request waits for another: it must not hold up the end.
  const sweeping = setInterval(() => app.server.closeIdleConnections(), 100)
  const cutting = setTimeout(() => cut(app), grace)
  try {
    await app.close()
  } finally {
    clearInterval(sweeping)
    clearTimeout(cutting)
  }
}

/** A connection that was taken over by a WebSocket is none of the HTTP server's any more. */
function cut(app: FastifyInstance) {
  app.server.closeAllConnections()
  for (const client of app.websocketServer?.clients ?? []) client.terminate()
}
