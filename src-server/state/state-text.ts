import type { StateData } from './state-data.ts'

/** Records in a block, whose text is cached. */
const blockSize = 64

type Block = Readonly<{ records: readonly unknown[]; bytes: Buffer }>

/** Cached text of consecutive records, by the first of them. A change of a record rebuilds only the blocks around it. */
const blocks = new WeakMap<object, Block>()

const encoded = (text: string) => Buffer.from(text)
const comma = encoded(',\n    ')

/**
 * The text of the state file in chunks, which are not joined: that takes longer than all the rest. It is readable for people: one line
 * for each user, session and key.
 * @param data frozen: the same object is assumed to have the same text
 */
export function chunksOf(data: StateData): Buffer[] {
  const fields = Object.entries(data).flatMap(([name, value], index) => [
    encoded(`${index === 0 ? '' : ',\n'}  ${JSON.stringify(name)}: `),
    ...fieldText(value),
  ])
  return [encoded('{\n'), ...fields, encoded('\n}\n')]
}

/** The text of the state file. */
export const textOf = (data: StateData): string => String(Buffer.concat(chunksOf(data)))

function fieldText(value: unknown): Buffer[] {
  if (!Array.isArray(value)) return [encoded(JSON.stringify(value, null, 2).replaceAll('\n', '\n  '))]
  if (value.length === 0) return [encoded('[]')]
  const texts = blocksOf(value).flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]))
  return [encoded('[\n    '), ...texts, encoded('\n  ]')]
}

function blocksOf(records: readonly unknown[]): Block[] {
  const found: Block[] = []
  for (let start = 0; start < records.length; start += found.at(-1)?.records.length ?? 1) {
    found.push(knownBlock(records, start) ?? newBlock(records, start))
  }
  return found
}

/** A block that can still grow is not reused: otherwise each new record would start a block of its own. */
function knownBlock(records: readonly unknown[], start: number): Block | undefined {
  const block = blockAt(records, start)
  if (block === undefined || !block.records.every((record, index) => records[start + index] === record)) return undefined
  const end = start + block.records.length
  const isWhole = block.records.length === blockSize || end === records.length || blockAt(records, end) !== undefined
  return isWhole ? block : undefined
}

/** A block from `start` up to its full size or the next cached block. */
function newBlock(all: readonly unknown[], start: number): Block {
  let end = start + 1
  while (end < all.length && end - start < blockSize && blockAt(all, end) === undefined) end += 1
  const records = all.slice(start, end)
  const block = { records, bytes: encoded(records.map((record) => JSON.stringify(record)).join(String(comma))) }
  const [first] = records
  if (typeof first === 'object' && first !== null) blocks.set(first, block)
  return block
}

function blockAt(records: readonly unknown[], index: number): Block | undefined {
  const record = records[index]
  return typeof record === 'object' && record !== null ? blocks.get(record) : undefined
}
