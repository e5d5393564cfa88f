import type { FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { pathOf } from './requests.ts'
import { methodsAt } from './routes.ts'

/**
 * Refuses a request that matches no route and must not be answered with the page.
 * @throws Failure('method') when the address has other methods, Failure('notFound') below /api and /static
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
