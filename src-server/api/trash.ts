// The trash: what was deleted or replaced is listed, put back, and deleted for good.
import type { FastifyInstance } from 'fastify'
import { inField, refusedField } from '../base/failure.ts'
import { parsePath } from '../base/paths.ts'
import { mostListedTrash, mostTrashItems } from '../contract/trash.ts'
import { type Api, endpoint } from './endpoint.ts'
import { answerFor } from './failures.ts'
import { answerPreview, previewLimits } from './previews.ts'
import { sendFile } from './send-file.ts'

/** Items of an answer that does not say how many it wants. */
const usual = 200

/** Registers the calls of the trash. */
export function trashCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/trash', async ({ files, query }) => {
    const { by = 'date', order = 'desc', filter = '', path, from = '0', limit = String(usual) } = query
    const only = path === undefined ? undefined : inField('path', () => parsePath(path))
    const count = Math.min(Number(limit), mostListedTrash)
    return files.trash.list({ by, asc: order === 'asc', filter, path: only, from: Number(from), limit: count })
  })

  endpoint(app, api, 'POST /api/trash/restore', async ({ files, body, operation }) => {
    const { taken: how = 'ask' } = body
    files.trash.assertMay()
    const outcomes = await eachOf(idsIn(body.items), operation.signal, (id) => files.trash.restore(id, how))
    const became = (kind: string) => outcomes.done.flatMap(({ id, kind: its, path }) => (its === kind ? [{ id, path }] : []))
    return { restored: became('restored'), taken: became('taken'), failures: outcomes.failures }
  })

  endpoint(app, api, 'DELETE /api/trash', async ({ files, body, operation }) => {
    files.trash.assertMay('delete')
    const ids = body.all === true ? (await files.trash.purgeable()).map(({ item }) => item.id) : idsIn(body.items)
    const { done, failures } = await eachOf(ids, operation.signal, async (id) => {
      await files.trash.purge(id)
      return {}
    })
    return { purged: done.length, failures }
  })

  endpoint(app, api, 'GET /api/trash/raw/:id', async ({ files, params, query, reply }) =>
    sendFile(reply, await files.trash.open(params.id), { inline: query.inline === 'true' }),
  )

  endpoint(app, api, 'GET /api/trash/preview/:size/:id', ({ files, params: { id, size }, query, reply, operation, me }) => {
    const of = { find: () => files.findTrashedPicture(id, size), open: () => files.trash.open(id) }
    const limits = previewLimits(api, me.user.id, operation)
    return answerPreview(reply, { of, size, how: { inline: query.inline === 'true' }, limits, operation })
  })
}

/** @throws Failure('invalid') */
function idsIn(items: readonly unknown[] = []): string[] {
  if (items.length === 0) throw refusedField('items', 'must not be empty')
  if (items.length > mostTrashItems) throw refusedField('items', 'has more than {{number}} entries', { number: mostTrashItems })
  return [...new Set(items)].map((id) => {
    if (typeof id !== 'string') throw refusedField('items', 'must hold only strings')
    return id
  })
}

type Failed = { id: string; code: string; message: string }

/** One after another, as long as somebody waits: what cannot be done with one of them does not end the others. */
async function eachOf<T extends object>(
  ids: readonly string[],
  signal: AbortSignal,
  work: (id: string) => Promise<T>,
): Promise<{ done: (T & { id: string })[]; failures: Failed[] }> {
  const done: (T & { id: string })[] = []
  const failures: Failed[] = []
  for (const id of ids) {
    signal.throwIfAborted()
    try {
      done.push({ id, ...(await work(id)) })
    } catch (error) {
      const { code, cause, status, refusal } = answerFor(error)
      // What is wrong with the server is wrong with the others too.
      if (status === 500) throw error
      failures.push({ id, code: refusal?.code ?? code, message: cause })
    }
  }
  return { done, failures }
}
