import { placeOf } from './fold.ts'
import type { Query, TypeFilter } from './query.ts'
import type { Range } from './ranges.ts'

/** Parts of a name: where each begins, and where it ends. */
export type Marks = readonly (readonly [begin: number, end: number])[]

type Kind = 'file' | 'folder' | 'link' | 'special'
type Facts = Readonly<{ name: string; isDir: boolean; size: number; modified: bigint }>

/** Decides what a query finds. */
export class Matcher {
  readonly #query: Query
  readonly #mediaTypeOf: (name: string) => string | undefined

  /** @param mediaTypeOf by the name of a file */
  constructor(query: Query, mediaTypeOf: (name: string) => string | undefined) {
    this.#query = query
    this.#mediaTypeOf = mediaTypeOf
  }

  /** Whether an entry may be found, by its name and kind alone: what a link leads to is not known yet. */
  isWanted(name: string, kind: Kind): boolean {
    const { words, folding, types, sizes } = this.#query
    if (kind === 'folder' && sizes.length > 0) return false
    if (types.length > 0 && !types.some((type) => this.#fits(type, name, kind))) return false
    if (words.length === 0) return true
    const folded = folding(name)
    return words.every((word) => folded.includes(word))
  }

  /** Whether an entry that may be found is found. */
  finds({ name, isDir, size, modified }: Facts): boolean {
    const { types, sizes, times } = this.#query
    const kind = isDir ? 'folder' : 'file'
    if (types.length > 0 && !types.some((type) => this.#fits(type, name, kind))) return false
    if (sizes.length > 0 && (isDir || !sizes.every((range) => isIn(range, size)))) return false
    return times.every((range) => isIn(range, Number(modified / 1_000_000n)))
  }

  /** The parts of a name that the words occur in, in the order of the name. */
  marksOf(name: string): Marks {
    const { words, folding } = this.#query
    const spans = words.flatMap((word) => [placeOf(word, name, folding) ?? []].filter(isSpan))
    return joined(spans.sort(([one], [other]) => one - other))
  }

  #fits(type: TypeFilter, name: string, kind: Kind): boolean {
    if ('ending' in type) return kind !== 'folder' && name.toLowerCase().endsWith(type.ending)
    if (kind === 'link' && (type.kind === 'folder' || type.kind === 'file')) return true
    if (type.kind === 'folder') return kind === 'folder'
    if (type.kind === 'file') return kind !== 'folder'
    return kind !== 'folder' && this.#mediaTypeOf(name)?.startsWith(`${type.kind}/`) === true
  }
}

function isIn({ from, to }: Range, value: number) {
  return value >= from && value <= to
}

type Span = readonly [number, number]

const isSpan = (span: readonly number[]): span is Span => span.length === 2

function joined(spans: readonly Span[]): Span[] {
  const all: [number, number][] = []
  for (const [begin, end] of spans) {
    const last = all.at(-1)
    if (last && begin <= last[1]) last[1] = Math.max(last[1], end)
    else all.push([begin, end])
  }
  return all
}
