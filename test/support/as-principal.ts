// Calls to a running server with the token of one user.
import type { Resource } from '../../src-server/contract/files.ts'

type Content = string | Uint8Array | ReadableStream<Uint8Array>
type Asking = { body?: Content; headers?: Record<string, string>; signal?: AbortSignal; redirect?: RequestRedirect }

export type PrincipalCalls = {
  token: string | undefined
  /** Any request. `address` is relative to the server's URL; its path is sent unchanged. */
  ask(method: string, address: string, asking?: Asking): Promise<Response>
  get(path: string, query?: string): Promise<Response>
  raw(path: string, query?: string, headers?: Record<string, string>): Promise<Response>
  /** The names in a folder, in the server's order. */
  list(path: string): Promise<string[]>
  read(path: string): Promise<Resource>
  upload(path: string, body: Content, query?: string): Promise<Response>
  save(path: string, body: Content): Promise<Response>
  makeFolder(path: string): Promise<Response>
  remove(path: string): Promise<Response>
  copy(from: string, to: string, flags?: string): Promise<Response>
  move(from: string, to: string, flags?: string): Promise<Response>
}

/** @param token without one, nobody is signed in @param always headers of all requests */
export function asPrincipal(url: string, token?: string, always: Record<string, string> = {}): PrincipalCalls {
  const ask = async (method: string, address: string, { headers = {}, body, ...asking }: Asking = {}) =>
    fetch(url + address, {
      method,
      headers: { ...always, ...(token === undefined ? {} : { 'X-Auth': token }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body, duplex: 'half' as const }),
      ...asking,
    } as RequestInit)
  const resource = (path: string, query = '') => `/api/resources${encoded(path)}${query && `?${query}`}`
  const get = (path: string, query?: string) => ask('GET', resource(path, query))
  const patch = (action: string, from: string, to: string, flags = '') =>
    ask('PATCH', resource(from, `action=${action}&destination=${encodeURIComponent(encoded(to))}${flags && `&${flags}`}`))
  const read = async (path: string) => {
    const answer = await get(path)
    if (!answer.ok) throw new Error(`GET ${path}: ${await answer.text()}`)
    return (await answer.json()) as Resource
  }
  return {
    token,
    ask,
    get,
    read,
    raw: (path, query = '', headers = {}) => ask('GET', `/api/raw${encoded(path)}${query && `?${query}`}`, { headers }),
    list: async (path) => ((await read(path)).items ?? []).map(({ name }) => name),
    upload: (path, body, query) => ask('POST', resource(path, query), { body }),
    save: (path, body) => ask('PUT', resource(path), { body }),
    makeFolder: (path) => ask('POST', resource(`${path}/`)),
    remove: (path) => ask('DELETE', resource(path)),
    copy: (from, to, flags) => patch('copy', from, to, flags),
    move: (from, to, flags) => patch('rename', from, to, flags),
  }
}

/** A path for an address, with each name percent-encoded. */
export function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
