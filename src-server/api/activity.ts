import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { csvHead, csvLine } from '../activity/activity-csv.ts'
import { type ActivityEntry, lineOf } from '../activity/activity-line.ts'
import { Failure } from '../base/failure.ts'
import type { ActivityQuery } from '../contract/activity.ts'
import { type Api, endpoint } from './endpoint.ts'
import { lineType } from './json-lines.ts'

/** Registers the call that reads the activity log. */
export function activityCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/activity', async ({ activity, query, operation, reply }) => {
    const entries = activity(operation.signal)
    if (!entries) throw new Failure('notFound', 'the server was started without --audit-log')
    const isCsv = query.format === 'csv'
    reply.type(isCsv ? 'text/csv; charset=utf-8' : `${lineType}; charset=utf-8`)
    if (query.format) reply.header('Content-Disposition', `attachment; filename="activity.${query.format}"`)
    return reply.send(Readable.from(linesOf(entries, query, isCsv)))
  })
}

async function* linesOf(entries: AsyncIterable<ActivityEntry>, query: ActivityQuery, isCsv: boolean) {
  if (isCsv) yield csvHead
  let left = Number(query.limit ?? Number.POSITIVE_INFINITY)
  for await (const entry of entries) {
    if (!isWanted(entry, query)) continue
    yield isCsv ? csvLine(entry) : lineOf(entry)
    if (--left === 0) return
  }
}

function isWanted(entry: ActivityEntry, { who, what, result, path, since, until }: ActivityQuery): boolean {
  return (
    (who === undefined || entry.who === who) &&
    (what === undefined || entry.what === what) &&
    (result === undefined || entry.result === result) &&
    (path === undefined || [entry.path, entry.to].some((text) => text?.includes(path))) &&
    (since === undefined || entry.time >= since) &&
    (until === undefined || entry.time < until)
  )
}
