import type { FastifyInstance } from 'fastify'
import type { Authenticate } from './context.ts'
import { endpoint } from './endpoint.ts'

export function healthCalls(app: FastifyInstance, open: Authenticate): void {
  endpoint(app, open, 'GET /health', async () => ({ status: 'OK' as const }))
}
