// `holdall --health`: asks the server that runs with the same options, for a container's HEALTHCHECK.
import { request as askHttp, type IncomingMessage } from 'node:http'
import { request as askHttps } from 'node:https'
import { json } from 'node:stream/consumers'
import { StartupError } from './base/startup-error.ts'
import type { Options } from './options/options.ts'

/** Milliseconds for the answer. */
const longest = 5000

/** @param complain gets a sentence that says why not @returns the exit code: 0 when the server is well, else 1 */
export async function askHealth(options: Options, complain: (line: string) => void): Promise<0 | 1> {
  const problem = await problemOf(options)
  if (problem === undefined) return 0
  complain(`The server is not well: ${problem}.`)
  return 1
}

/** @returns undefined when the server answers as it should @throws StartupError without a port to ask */
function problemOf({ address, port, socket, baseURL, tls }: Options): Promise<string | undefined> {
  if (socket === undefined && port === 0) throw new StartupError('--health needs the port of the server: name it with --port.')
  const at = socket === undefined ? { host: reachable(address), port } : { socketPath: socket }
  const path = `${baseURL}/health`
  // Its own certificate may be for another name, and nothing is sent to it.
  const asked = {
    ...at,
    path,
    headers: { Host: 'localhost' },
    rejectUnauthorized: false,
    agent: false as const,
    signal: AbortSignal.timeout(longest),
  }
  return new Promise((resolve) => {
    const request = (tls ? askHttps : askHttp)(asked, (answer) => {
      // Any other address is answered with the page.
      readJson(answer)
        .then(({ status }) => resolve(status === 'OK' ? undefined : `it answers ${answer.statusCode}`))
        .catch(() => resolve('something else answers there'))
    })
    request.on('error', (error) =>
      resolve('code' in error && error.name !== 'AbortError' ? String(error.code) : 'it does not answer'),
    )
    request.end()
  })
}

async function readJson(answer: IncomingMessage): Promise<{ status?: unknown }> {
  return Object(await json(answer))
}

/** The addresses for all interfaces are none to connect to. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
