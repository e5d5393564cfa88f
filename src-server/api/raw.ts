import type { FastifyInstance } from 'fastify'
import { type Api, endpoint } from './endpoint.ts'
import { sendFile } from './send-file.ts'

/** Registers the download of files. */
export function rawCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/raw/*', async ({ files, path, query, reply }) => {
    return sendFile(reply, await files.openForRaw(path), { inline: query.inline === 'true' })
  })
}
