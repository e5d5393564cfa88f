// Calls for public links.
import assert from 'node:assert/strict'
import type { Share, SharedResource } from '../../src-server/contract/shares.ts'
import { encoded, type PrincipalCalls } from './as-principal.ts'

/** Makes a link. @param body JSON; @param query such as `expires=1&unit=days` */
export async function share(calls: PrincipalCalls, path: string, body: object = {}, query = ''): Promise<Share> {
  const answer = await askShare(calls, path, body, query)
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as Share
}

export function askShare(calls: PrincipalCalls, path: string, body: object = {}, query = ''): Promise<Response> {
  return calls.ask('POST', `/api/share${encoded(path)}${query && `?${query}`}`, { body: JSON.stringify(body) })
}

/** The links of a path, or all. */
export async function sharesOf(calls: PrincipalCalls, path?: string): Promise<Share[]> {
  const answer = await calls.ask('GET', path === undefined ? '/api/shares' : `/api/share${encoded(path)}`)
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as Share[]
}

/** What a link leads to. */
export async function readShare(calls: PrincipalCalls, hash: string, path = ''): Promise<SharedResource> {
  const answer = await calls.ask('GET', `/api/public/share/${hash}${encoded(path)}`)
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as SharedResource
}

/** The status and the body of a download. */
export async function downloaded(calls: PrincipalCalls, hash: string, rest = ''): Promise<[number, string]> {
  const answer = await calls.ask('GET', `/api/public/dl/${hash}${rest}`)
  return [answer.status, await answer.text()]
}
