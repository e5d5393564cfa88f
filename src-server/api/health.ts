import type { FastifyInstance } from 'fastify'
import { type Api, endpoint } from './endpoint.ts'

/** Registers the call for health checks. */
export function healthCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /health', async () => ({ status: 'OK' as const }))
}
