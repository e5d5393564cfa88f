// Which addresses there are, and that none is there beside the contract.
import type { FastifyInstance } from 'fastify'
import type { Contract } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'

/** In the config of every route that endpoint() or socket() registers. */
export const registered = Symbol('registered from the contract')

/** The first thing done to a new instance: a route that was added before would pass unseen. */
export function refuseUnlistedRoutes(app: FastifyInstance, pageRoutes: readonly string[]): void {
  app.addHook('onRoute', (route) => {
    const isPage = pageRoutes.includes(`GET ${route.url}`) && (route.method === 'GET' || route.method === 'HEAD')
    const isListed = route.config !== undefined && registered in route.config
    if (!isPage && !isListed) throw new Error(`${route.method} ${route.url} is not in src-server/contract/endpoints.ts`)
  })
}

/** `/api/resources` is the root as `/api/resources/` is. */
export function urlsOf(pattern: string): string[] {
  return pattern.endsWith('/*') ? [pattern.slice(0, -2), pattern] : [pattern]
}

/** The methods that a contract knows at an address; empty when it does not know the address. */
export function methodsAt(address: string, contract: Contract = endpoints): string[] {
  const names = Object.keys(contract).map((name) => name.split(' ') as [string, string])
  const methods = names.filter(([, pattern]) => matches(pattern, address)).map(([method]) => method)
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
}

function matches(pattern: string, address: string) {
  const [wanted, given] = [pattern.split('/'), address.split('/')]
  const hasPath = wanted.at(-1) === '*'
  if (hasPath) wanted.pop()
  if (hasPath ? given.length < wanted.length : given.length !== wanted.length) return false
  return wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
}
