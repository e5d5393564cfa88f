// The addresses of the contract, and a check that no others are registered.
import type { FastifyInstance } from 'fastify'
import type { Contract } from '../contract/endpoint.ts'
import { endpoints } from '../contract/endpoints.ts'

/** Marks, in its config, a route that endpoint() or socket() registered. */
export const registered = Symbol('registered from the contract')

/** Throws for routes outside the contract. Called first: routes that were added before would not be checked. */
export function refuseUnlistedRoutes(app: FastifyInstance, pageRoutes: readonly string[]): void {
  app.addHook('onRoute', (route) => {
    const isPage = pageRoutes.includes(`GET ${route.url}`) && (route.method === 'GET' || route.method === 'HEAD')
    const isListed = route.config !== undefined && registered in route.config
    if (!isPage && !isListed) throw new Error(`${route.method} ${route.url} is not in src-server/contract/endpoints.ts`)
  })
}

/** The URLs of a pattern: `/api/resources` is the root like `/api/resources/`. */
export function urlsOf(pattern: string): string[] {
  return pattern.endsWith('/*') ? [pattern.slice(0, -2), pattern] : [pattern]
}

/** The methods of an address in a contract; empty for an unknown address. */
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
