import type { FastifyInstance } from 'fastify'
import type { Opener } from './doors.ts'
import { endpoint } from './endpoint.ts'

export function healthCalls(app: FastifyInstance, open: Opener): void {
  endpoint(app, open, 'GET /health', async () => ({ status: 'OK' as const }))
}
