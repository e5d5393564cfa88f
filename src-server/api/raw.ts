import type { FastifyInstance } from 'fastify'
import { inField } from '../base/failure.ts'
import { joined, type Path, parsePath, parseUrlPath } from '../base/paths.ts'
import { type Api, endpoint } from './endpoint.ts'
import { withoutOuterEncoding } from './outer-encoding.ts'
import { sendArchive } from './send-archive.ts'
import { sendFile } from './send-file.ts'

/** Registers the download of files, and of folders and lists of entries as archives. */
export function rawCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/raw/*', async ({ files, path, query, reply, operation, me }) => {
    const file = query.ticket === undefined ? await files.openForRaw(path) : undefined
    if (file) return sendFile(reply, file, { inline: query.inline === 'true' })
    await api.limits.enter('archives', me.user.id, operation)
    if (query.ticket === undefined) return sendArchive(reply, files, { paths: pathsIn(query.files, path), format: query.algo })
    const owner = { userId: me.user.id, sessionId: me.session.id }
    return sendArchive(reply, files, api.tickets.find(query.ticket, owner))
  })
}

/** The paths of a list of names below a folder; the folder itself without names. @throws Failure('invalid') for a path with '..' */
export function pathsIn(list: string | undefined, folder: Path): Path[] {
  const names = (list ?? '').split(',').filter((name) => name !== '')
  if (names.length === 0) return [folder]
  return inField('files', () => names.map((name) => parsePath(joined(folder, parseUrlPath(withoutOuterEncoding(name))))))
}
