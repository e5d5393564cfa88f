// Searches below a folder, as one principal may see it.
import { authorize } from '../access/authorize.ts'
import { Failure } from '../base/failure.ts'
import { type Path, rootPath } from '../base/paths.ts'
import type { MoreReason, SearchResult } from '../contract/search.ts'
import type { Entry } from '../disk/disk.ts'
import { Matcher } from '../search/matcher.ts'
import { isEmpty, readQuery } from '../search/query.ts'
import { search } from '../search/search.ts'
import { mediaTypeOf } from './kinds.ts'
import { itemOf } from './resource.ts'
import { entryAt, type FileContext } from './walk.ts'

/** Some of what was found, and at the end why there may be more. */
export type FoundResults = Readonly<{ results: SearchResult[] } | { more: MoreReason }>

/** How much one search finds, and for how long it looks, in milliseconds. */
export const searchLimits = { most: 10_000, longest: 30_000 }

/**
 * Nothing is found in a folder that does not exist, as existing clients expect.
 * @throws Failure('invalid') with what is wrong in the query, Failure('forbidden') for a blocked folder
 */
export async function searchBelow(context: FileContext, folder: Path, text: string): Promise<AsyncIterable<FoundResults>> {
  const query = readQuery(text, Date.now())
  const start = await entryAt(context, folder)
  if (start?.unreachable === 'outside') throw new Failure('forbidden', 'the link leads out of your files')
  if (isEmpty(query) || !start?.isDir || start.unreachable) return nothing()
  return results(context, folder, new Matcher(query, mediaTypeOf))
}

async function* nothing(): AsyncGenerator<FoundResults> {}

async function* results({ principal, disk, signal }: FileContext, folder: Path, matcher: Matcher): AsyncGenerator<FoundResults> {
  const walk: Parameters<typeof search<Entry>>[0]['walk'] = (how) => disk.find(authorize(principal, 'read', folder), how)
  const prefix = folder === rootPath ? 1 : folder.length + 1
  const resultOf = (entry: Entry): SearchResult => {
    const { isDir, path, ...item } = itemOf(entry)
    const marks = matcher.marksOf(entry.name).map(([begin, end]): [number, number] => [begin, end])
    return { dir: isDir, path: path.slice(prefix), ...item, ...(marks.length > 0 && { marks }) }
  }
  for await (const found of search({ matcher, walk, signal, ...searchLimits }))
    yield 'more' in found ? found : { results: found.entries.map(resultOf) }
}
