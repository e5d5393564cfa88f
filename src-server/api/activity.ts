import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { csvHead, csvLine } from '../activity/activity-csv.ts'
import { type ActivityEntry, lineOf } from '../activity/activity-line.ts'
import type { PlacedEntry } from '../activity/activity-log.ts'
import { Failure } from '../base/failure.ts'
import type { ActivityQuery } from '../contract/activity.ts'
import { type Api, endpoint } from './endpoint.ts'
import { lineType } from './json-lines.ts'

/** Registers the call that reads the activity log. */
export function activityCalls(app: FastifyInstance, api: Api): void {
  endpoint(app, api, 'GET /api/activity', async ({ activity, query, operation, request, reply }) => {
    const entries = activity({ signal: operation.signal, after: query.after })
    if (!entries) throw new Failure('notFound', 'the server was started without --audit-log')
    const isCsv = query.format === 'csv'
    reply.type(isCsv ? 'text/csv; charset=utf-8' : `${lineType}; charset=utf-8`)
    if (query.format) reply.header('Content-Disposition', `attachment; filename="activity.${query.format}"`)
    // Otherwise the whole log would be read for an answer to HEAD.
    const isHead = request.method === 'HEAD'
    return reply.send(Readable.from(isHead ? [] : linesOf(entries, query, isCsv), { highWaterMark: 1 }))
  })
}

async function* linesOf(entries: AsyncIterable<readonly PlacedEntry[]>, query: ActivityQuery, isCsv: boolean) {
  if (isCsv) yield csvHead
  const write = isCsv ? csvOf : query.after === undefined ? plainLineOf : placedLineOf
  const isWanted = filterOf(query)
  let left = Number(query.limit ?? Number.POSITIVE_INFINITY)
  for await (const read of entries) {
    const wanted = read.filter(({ entry }) => isWanted(entry)).slice(0, left)
    left -= wanted.length
    if (wanted.length > 0) yield wanted.map(write).join('')
    if (left === 0) return
  }
}

const csvOf = ({ entry }: PlacedEntry) => csvLine(entry)
const plainLineOf = ({ entry }: PlacedEntry) => lineOf(entry)
const placedLineOf = ({ entry, at }: PlacedEntry) => lineOf({ ...entry, at })

function filterOf({ who, what, way, result, path, since, until }: ActivityQuery): (entry: ActivityEntry) => boolean {
  const [kinds, ways] = [what?.split(','), way?.split(',')]
  return (entry) =>
    (who === undefined || entry.who === who) &&
    (kinds === undefined || kinds.includes(entry.what)) &&
    (ways === undefined || ways.includes(entry.way)) &&
    (result === undefined || entry.result === result) &&
    (path === undefined || [entry.path, entry.to].some((text) => text?.includes(path))) &&
    (since === undefined || entry.time >= since) &&
    (until === undefined || entry.time < until)
}
