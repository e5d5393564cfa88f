import { STATUS_CODES } from 'node:http'
import type { Refusal } from '../../src-server/contract/refusals.ts'

/** The answer to a refused call of the page, for a route of Playwright. */
export const problem = (status: number, about: { detail?: string; refusal?: Refusal }) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, ...about }),
})
