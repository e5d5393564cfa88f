// Makes the Fastify instance listen, and stops it.
import { isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { StartupError } from './base/startup-error.ts'
import type { Options } from './options/options.ts'
import { allowGroupOnSocket, removeStaleSocket } from './options/prepare-paths.ts'

/** Starts listening. @returns the URL for a browser, or the path of the socket @throws StartupError */
export async function listen(app: FastifyInstance, options: Options): Promise<string> {
  await app.ready()
  if (options.socket !== undefined) return listenOnSocket(app, options.socket)
  try {
    await app.listen({ host: options.address, port: options.port })
  } catch (cause) {
    throw new StartupError(problemOf(cause, options), { cause })
  }
  return addressOf(app, options)
}

async function listenOnSocket(app: FastifyInstance, socket: string) {
  await removeStaleSocket(socket)
  try {
    await app.listen({ path: socket })
  } catch (cause) {
    throw new StartupError(
      `--socket ${socket} cannot be listened on (${codeOf(cause)}): name a file in a folder that can be written.`,
      { cause },
    )
  }
  allowGroupOnSocket(socket)
  return socket
}

function problemOf(cause: unknown, { address, port }: Options): string {
  const code = codeOf(cause)
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${address} is in use by another program: stop that one, or name another with --port.`
  if (code === 'EACCES') return `Port ${port} needs rights that this user does not have: name one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `--address ${address} is not an address of this machine: name one that is, or 0.0.0.0 for all.`
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

/** Milliseconds within which running requests may end. */
const shutdownGrace = 10_000

/**
 * Stops accepting connections and closes those that are left after `grace`.
 * @param grace milliseconds within which running requests may end
 * @returns when every connection is closed
 */
export async function stop(app: FastifyInstance, grace = shutdownGrace): Promise<void> {
  // Idle keep-alive connections would delay the end.
  const closingIdle = setInterval(() => app.server.closeIdleConnections(), 100)
  const closingAll = setTimeout(() => closeAll(app), grace)
  try {
    await app.close()
  } finally {
    clearInterval(closingIdle)
    clearTimeout(closingAll)
  }
}

/** Closes all connections. The HTTP server does not count those that became WebSockets. */
function closeAll(app: FastifyInstance) {
  app.server.closeAllConnections()
  for (const client of app.websocketServer?.clients ?? []) client.terminate()
}
