import { mapYielding, sortYielding } from '../base/yield-to-event-loop.ts'
import type { Sorting } from '../contract/users.ts'
import type { Entry } from '../disk/disk.ts'

export type SortHow = Sorting & {
  /** A BCP 47 tag; one that is unknown, and '', mean the server's own. */
  locale: string
  signal?: AbortSignal
}

/**
 * Sorts a folder's entries. By name: folders first in both orders. By size: folders count as smaller than any file. By time:
 * folders are among the files. Equal entries are in the order of their names.
 * @throws the signal's reason when it is aborted meanwhile
 */
export async function sortEntries(entries: readonly Entry[], { by, asc, locale, signal }: SortHow): Promise<Entry[]> {
  const order = nameOrder(locale)
  const compare = comparers[by]
  const direction = asc ? 1 : -1
  const ofNames = by === 'name' ? direction : 1
  const keyed = await mapYielding(entries, (entry) => ({ entry, key: order.keyOf(entry.name) }), signal)
  const compareKeyed = (a: Keyed, b: Keyed) => compare(a.entry, b.entry, direction) || ofNames * order.compare(a.key, b.key)
  return mapYielding(await sortYielding(keyed, compareKeyed, signal), ({ entry }) => entry, signal)
}

type Keyed = Readonly<{ entry: Entry; key: NameKey }>

type Comparer = (a: Entry, b: Entry, direction: number) => number

const comparers: Record<Sorting['by'], Comparer> = {
  name: (a, b) => foldersFirst(a, b),
  size: (a, b, direction) => direction * (foldersFirst(a, b) || (a.isDir ? 0 : a.size - b.size)),
  modified: (a, b, direction) => direction * (a.modified < b.modified ? -1 : a.modified > b.modified ? 1 : 0),
}

function foldersFirst(a: Entry, b: Entry) {
  return Number(b.isDir) - Number(a.isDir)
}

// The order of names: as the locale sorts them, and `file9` before `file10`.
// Intl's numeric collation blocks the event loop for nearly a second with 100,000 names. So names of
// printable ASCII, which most are, get a key that sorts by plain comparison, made from the collator's own order of characters
// and used only when the collator agrees with it on every pair of characters (it does not where, say, "ch" is one letter).

/** The sort key of a name. */
export type NameKey = Readonly<{ name: string; plain: string | undefined }>

type NameOrder = Readonly<{
  keyOf(name: string): NameKey
  /** Never 0 for two different names, so that the order is the same each time. */
  compare(a: NameKey, b: NameKey): number
}>

/** @param locale a BCP 47 tag; one that is unknown, and '', mean the server's own */
export function nameOrder(locale: string): NameOrder {
  const known = orders.get(locale)
  if (known) return known
  const order = makeOrder(collatorFor(locale))
  if (orders.size >= mostOrders) orders.clear()
  orders.set(locale, order)
  return order
}

const orders = new Map<string, NameOrder>()
/** Users choose locales freely: the table must not grow without limit. */
const mostOrders = 50

function collatorFor(locale: string) {
  try {
    return new Intl.Collator(locale || undefined, { numeric: true })
  } catch {
    return new Intl.Collator(undefined, { numeric: true })
  }
}

function makeOrder(collator: Intl.Collator): NameOrder {
  const plainKey = plainKeysFor(collator)
  const byCollator = (a: string, b: string) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
  return {
    keyOf: (name) => ({ name, plain: plainKey(name) }),
    compare: (a, b) => {
      if (a.plain === undefined || b.plain === undefined || a.plain === b.plain) return byCollator(a.name, b.name)
      return a.plain < b.plain ? -1 : 1
    },
  }
}

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))

function plainKeysFor(collator: Intl.Collator): (name: string) => string | undefined {
  const ranks = ranksOf(collator)
  const keyOf = (name: string) => plainKey(name, ranks)
  return agrees(collator, keyOf) ? keyOf : () => undefined
}

/** The rank of each printable character, ignoring case; characters that are equal in the locale share one. */
function ranksOf(collator: Intl.Collator) {
  const { locale } = collator.resolvedOptions()
  const base = new Intl.Collator(locale, { sensitivity: 'base' })
  const sorted = [...printable].sort(base.compare)
  const ranks = new Uint8Array(128)
  let rank = 0
  sorted.forEach((character, index) => {
    if (index > 0 && base.compare(sorted[index - 1] ?? '', character) !== 0) rank++
    ranks[character.charCodeAt(0)] = rank + 1
  })
  return ranks
}

const zero = 48
const nine = 57
const isDigit = (code: number) => code >= zero && code <= nine

/** The maximal length of names of file systems; a single digit takes three characters of the key. */
const longestName = 255
/** A key is written here first: concatenated character by character, the keys of 100,000 names created 100 MB of garbage. */
const draft = Buffer.alloc(3 * longestName)

/** A run of digits becomes the rank of a digit, its length without leading zeros, and its digits. */
function plainKey(name: string, ranks: Uint8Array): string | undefined {
  if (name.length > longestName) return undefined
  let length = 0
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < 32 || code > 126) return undefined
    if (!isDigit(code)) {
      draft[length++] = ranks[code] ?? 0
      continue
    }
    let end = at + 1
    while (isDigit(name.charCodeAt(end))) end++
    let start = at
    while (start < end - 1 && name.charCodeAt(start) === zero) start++
    draft[length++] = ranks[zero] ?? 0
    draft[length++] = end - start
    while (start < end) draft[length++] = name.charCodeAt(start++)
    at = end - 1
  }
  return draft.toString('latin1', 0, length)
}

/** Whether the collator sorts every pair of printable characters as their keys sort. */
function agrees(collator: Intl.Collator, keyOf: (name: string) => string | undefined) {
  const pairs = printable
    .flatMap((first) => printable.map((second) => first + second))
    .map((text) => ({ text, key: keyOf(text) ?? '' }))
  pairs.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return pairs.every((pair, index) => {
    const before = pairs[index - 1]
    return !before || before.key === pair.key || collator.compare(before.text, pair.text) <= 0
  })
}
