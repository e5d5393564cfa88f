import type { FastifyInstance } from 'fastify'
import { Failure } from '../base/failure.ts'
import { joined, type Path, parsePath } from '../base/paths.ts'
import type { Body } from '../contract/endpoints.ts'
import { type Api, endpoint } from './endpoint.ts'

/** Registers the call that keeps a long list of entries for one download. */
export function archiveCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'POST /api/archives', async ({ files, body, me }) => {
    const paths = pathsOf(body)
    // Refused here, where the page can show why; everything is asked again when the ticket is used.
    await files.archive({ paths, format: body.algo })
    const owner = { userId: me.user.id, sessionId: me.session.id }
    return { ticket: api.tickets.issue(owner, { paths, format: body.algo }) }
  })
}

/** @throws Failure('invalid') for an empty list and for a path with '..' */
function pathsOf({ folder = '/', files: names = [] }: Body<'POST /api/archives'>): Path[] {
  if (names.length === 0) throw new Failure('invalid', 'files must not be empty')
  const above = parsePath(folder)
  return names.map((name) => parsePath(joined(above, parsePath(name))))
}
