// The calls about links that take files in.
import type { ArrivalList, RequestBody, RequestChanges, RequestLink, SenderList } from '../../src-server/contract/requests.ts'
import { call } from '../api/http.ts'
import { baseURL } from '../api/page-config.ts'

/** Those of this person; for administrators those of everybody. */
export const allRequests = (signal: AbortSignal, isBackground = false): Promise<RequestLink[]> =>
  call('GET /api/requests', { signal, isBackground })

export const createRequest = (path: string, body: RequestBody): Promise<RequestLink> =>
  call('POST /api/requests/*', { path, body })

export const changeRequest = (hash: string, body: RequestChanges): Promise<RequestLink> =>
  call('PATCH /api/requests/:hash', { params: { hash }, body })

export const deleteRequest = (hash: string): Promise<unknown> => call('DELETE /api/requests/:hash', { params: { hash } })

/** The newest first. @param after the `next` of the page before */
export const sendersOf = (hash: string, signal: AbortSignal, after?: string): Promise<SenderList> =>
  call('GET /api/requests/:hash/senders', { params: { hash }, signal, query: after === undefined ? {} : { after } })

/** The newest first. @param sender the id of one */
export const arrivalsOf = (hash: string, signal: AbortSignal, query: { sender?: string; after?: string }): Promise<ArrivalList> =>
  call('GET /api/requests/:hash/arrivals', { params: { hash }, signal, query })

/** The owner has seen so many files. */
export const seeRequest = (hash: string, files: number): Promise<unknown> =>
  call('PUT /api/requests/:hash/seen', { params: { hash }, body: { files }, isBackground: true })

/** The whole address of the page of a link, to be given to others. */
export const requestAddress = (hash: string): string => `${location.origin}${baseURL}/request/${hash}`
