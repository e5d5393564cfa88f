import type { FastifyInstance } from 'fastify'
import type { Authenticate } from './context.ts'
import { endpoint } from './endpoint.ts'
import { sendFile } from './send-file.ts'

export function rawCalls(app: FastifyInstance, open: Authenticate): void {
  endpoint(app, open, 'GET /api/raw/*', async ({ files, path, query, reply }) => {
    return sendFile(reply, await files.openForRaw(path), { inline: query.inline === 'true' })
  })
}
