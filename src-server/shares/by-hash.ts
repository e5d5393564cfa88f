import type { StoredLink } from '../state/state-data.ts'

/** Lists of links are frozen and replaced when one changes, so that the table of one stays valid. */
const tables = new WeakMap<readonly StoredLink[], ReadonlyMap<string, StoredLink>>()

/** The link with a hash, also one that has expired. Takes as long however many there are. */
export function linkByHash(links: readonly StoredLink[], hash: string): StoredLink | undefined {
  let table = tables.get(links)
  if (!table) {
    table = new Map(links.map((link) => [link.hash, link]))
    tables.set(links, table)
  }
  return table.get(hash)
}
