import type { FastifyInstance } from 'fastify'
import { inField, refusedField } from '../base/failure.ts'
import { joined, type Path, parsePath } from '../base/paths.ts'
import { mapYielding } from '../base/yield-to-event-loop.ts'
import type { Body } from '../contract/endpoints.ts'
import { checkCount } from '../files/archive.ts'
import { type Api, endpoint } from './endpoint.ts'

/** Registers the call that keeps a long list of entries for one download. */
export function archiveCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'POST /api/archives', async ({ files, body, me, operation }) => {
    const paths = await pathsOf(body, operation.signal)
    // Refused here, where the page can show why; everything is asked again when the ticket is used.
    await files.archive({ paths, format: body.algo })
    const owner = { userId: me.user.id, sessionId: me.session.id }
    return { ticket: api.tickets.issue(owner, { paths, format: body.algo }) }
  })
}

/** @throws Failure('invalid') for an empty list, for one that is too long, for what is no text, and for a path with '..' */
async function pathsOf({ folder = '/', files = [] }: Body<'POST /api/archives'>, signal: AbortSignal): Promise<Path[]> {
  const names: readonly unknown[] = files
  if (names.length === 0) throw refusedField('files', 'must not be empty')
  checkCount(names)
  const above = inField('folder', () => parsePath(folder))
  return mapYielding(
    names,
    (name) => {
      if (typeof name !== 'string') throw refusedField('files', 'must hold only strings')
      return inField('files', () => parsePath(joined(above, parsePath(name))))
    },
    signal,
  )
}
