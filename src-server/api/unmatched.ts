import type { FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { pathOf } from './requests.ts'
import { methodsAt } from './routes.ts'

/**
 * Refuses what no route took and no page may answer.
 * @throws Failure('method') at an address that knows other methods, Failure('notFound') below /api and /static
 */
export function refuseUnmatchedCall(request: FastifyRequest): void {
  const address = pathOf(request)
  const allow = methodsAt(address)
  if (allow.length > 0) throw new Failure('method', '', { allow })
  if (isBelow(address, '/api') || isBelow(address, '/static')) throw new Failure('notFound')
}

function isBelow(address: string, start: string) {
  return address === start || address.startsWith(`${start}/`)
}
