import { noPermissions } from '../../src-server/access/permissions.ts'
import { expired, login, logout } from '../../src-ui/core/session.ts'
import { hooksOf } from './hooks.ts'

export type Call = { name: string; auth: string | null; body: unknown }
export type Reply = { status?: number; text?: string; headers?: Record<string, string> }
export type Replies = Record<string, Reply | (() => Reply | Promise<Reply>)>

/**
 * Replaces `fetch` for the tests of one file: records every call, and answers with the reply that the test has set for
 * its method and address, else with 404.
 */
export function answering(file: string): { calls: Call[]; replies: Replies } {
  const network: { calls: Call[]; replies: Replies } = { calls: [], replies: {} }
  const { beforeEach, afterEach } = hooksOf(file)
  const reach = globalThis.fetch
  beforeEach(() => {
    network.calls = []
    network.replies = {}
    globalThis.fetch = ((address: string, init: RequestInit) => answer(network, address, init)) as typeof fetch
  })
  afterEach(async () => {
    network.replies = {}
    await logout(() => {})
    expired.value = false
    globalThis.fetch = reach
  })
  return network
}

async function answer({ calls, replies }: { calls: Call[]; replies: Replies }, address: string, init: RequestInit) {
  init.signal?.throwIfAborted()
  const name = `${init.method} ${address}`
  calls.push({ name, auth: new Headers(init.headers).get('X-Auth'), body: init.body })
  const reply = replies[name] ?? { status: 404 }
  const { status = 200, text = '', headers = {} } = typeof reply === 'function' ? await reply() : reply
  return new Response(text, { status, headers })
}

export async function signIn(network: { replies: Replies }, username: string): Promise<void> {
  network.replies['POST /api/login'] = { text: tokenOf(username) }
  await login(username, 'secret')
}

/** A token as the server makes them, with an invalid signature. */
export function tokenOf(username: string, issued = 1, id = 1, perm = noPermissions): string {
  const sorting = { by: 'name', asc: true }
  const user = { id, username, locale: '', viewMode: 'list', sorting, perm, commands: [], lockPassword: false }
  return `${encode({ alg: 'HS256' })}.${encode({ user, iat: issued })}.signature`
}

export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
