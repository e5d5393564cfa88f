// Calls for links that take files in, as their owners make them.
import assert from 'node:assert/strict'
import type { RequestLink } from '../../src-server/contract/requests.ts'
import { encoded, type PrincipalCalls } from './as-principal.ts'

export function askRequest(calls: PrincipalCalls, path: string, body: object = {}): Promise<Response> {
  return calls.ask('POST', `/api/requests${encoded(path)}`, { body: JSON.stringify({ title: 'Photos', ...body }) })
}

/** Makes one. */
export async function requestFiles(calls: PrincipalCalls, path: string, body: object = {}): Promise<RequestLink> {
  return answered(await askRequest(calls, path, body))
}

export async function editRequest(calls: PrincipalCalls, hash: string, body: object): Promise<RequestLink> {
  return answered(await calls.ask('PATCH', `/api/requests/${hash}`, { body: JSON.stringify(body) }))
}

export async function requestsOf(calls: PrincipalCalls): Promise<RequestLink[]> {
  return answered(await calls.ask('GET', '/api/requests'))
}

async function answered<T>(answer: Response): Promise<T> {
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as T
}
