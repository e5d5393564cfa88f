// Somebody who sends files by a request link, with the cookies of a browser.
import assert from 'node:assert/strict'
import type { RequestPage } from '../../src-server/contract/requests.ts'
import { asPrincipal, encoded } from './as-principal.ts'
import type { TestApp } from './start-app.ts'
import { pieceType } from './tus-calls.ts'

type CallParts = Readonly<{
  headers?: Record<string, string>
  body?: string | Uint8Array | ReadableStream<Uint8Array>
  signal?: AbortSignal
}>

export type Sent = Readonly<{
  /** Of the whole; that of the body unless given. */
  length?: number
  body?: string | Uint8Array
  metadata?: Record<string, string>
  headers?: Record<string, string>
}>

/** @param cookies shared with another page of the same browser */
export function senderOn({ url }: Pick<TestApp, 'url'>, hash: string, cookies = new Map<string, string>()) {
  const principal = asPrincipal(url)
  const ask = async (method: string, address: string, { headers = {}, ...asked }: CallParts = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await principal.ask(method, address, { ...asked, headers: { ...headers, ...(cookie && { Cookie: cookie }) } })
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const tus = (method: string, address: string, { headers = {}, ...asked }: CallParts = {}) =>
    ask(method, address, { ...asked, headers: { 'Tus-Resumable': '1.0.0', ...headers } })
  const begin = (name: string, { body, length = body?.length ?? 0, metadata = {}, headers = {} }: Sent = {}) => {
    const pairs = Object.entries(metadata).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    return tus('POST', `/api/public/tus/${hash}${encoded(`/${name}`)}`, {
      headers: {
        ...{ 'Upload-Length': String(length), ...headers },
        ...(body !== undefined && pieceType),
        ...(pairs.length > 0 && { 'Upload-Metadata': pairs.join(',') }),
      },
      ...(body !== undefined && { body }),
    })
  }
  return {
    ask,
    tus,
    cookies,
    begin,
    /** Sends a whole file. */
    send: async (name: string, body: string, sent: Omit<Sent, 'body'> = {}) => {
      const answer = await begin(name, { ...sent, ...(body !== '' && { body }) })
      assert.equal(answer.status, 201, await answer.clone().text())
      return answer.headers.get('location') ?? ''
    },
    patch: (address: string, offset: number, body: NonNullable<CallParts['body']>, headers: Record<string, string> = {}) =>
      tus('PATCH', address, { headers: { ...pieceType, 'Upload-Offset': String(offset), ...headers }, body }),
    page: () => ask('GET', `/api/public/request/${hash}`),
    shown: async (): Promise<RequestPage> => {
      const answer = await ask('GET', `/api/public/request/${hash}`)
      assert.equal(answer.status, 200, await answer.clone().text())
      return (await answer.json()) as RequestPage
    },
    /** The names of what this sender has sent, the newest first. */
    sent: async (): Promise<string[]> => {
      const page = (await (await ask('GET', `/api/public/request/${hash}`)).json()) as RequestPage
      assert.equal(page.kind, 'open')
      return page.sent.map(({ name }) => name)
    },
  }
}
