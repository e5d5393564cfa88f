// Text becomes values that take much more memory than the text: how many there may be is seen before it does.
import { parse } from 'yaml'
import { SourceFault } from './source-file.ts'

/** Of all records together: a thousand users with thirty rules or links each have less. Some tens of megabytes. */
const mostValues = 200_000

/** Parts of YAML, whose reading takes a hundred times as much memory as that of JSON: a user has about 90. */
const mostYamlParts = 60_000

/** Bytes of a file that is not JSON. */
const longestYaml = 512 << 10

const comma = 0x2c
const opening = new Set([0x5b, 0x7b])

/** Reads JSON of one source. */
export class JsonValues {
  #left: number

  constructor(most = mostValues) {
    this.#left = most
  }

  /** @throws SourceFault for what is not JSON, and when all of it together would take too much memory */
  parse(bytes: Uint8Array, place: string): unknown {
    // Each value but the first of a list or record follows a comma. Those in texts count too: they are few.
    for (const byte of bytes) if (byte === comma || opening.has(byte)) this.#left--
    if (this.#left < 0)
      throw new SourceFault(
        'holds more values than are read: remove users, rules and links in File Browser that are not needed any more',
      )
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    } catch {
      throw new SourceFault(`is damaged: ${place} is not JSON`)
    }
  }
}

/** @throws SourceFault for what is neither YAML nor short enough */
export function parsedYaml(bytes: Uint8Array): unknown {
  if (bytes.length > longestYaml) throw tooLong()
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (hasMoreParts(text, mostYamlParts)) throw tooLong()
    // Go writes no aliases, whose repetition could fill the memory.
    return parse(text, { maxAliasCount: 0, uniqueKeys: false, logLevel: 'error', prettyErrors: false })
  } catch (cause) {
    if (cause instanceof SourceFault) throw cause
    throw new SourceFault('is neither a database of File Browser nor an export of it in JSON or YAML', { cause })
  }
}

const tooLong = () =>
  new SourceFault(
    'is longer than what is read of exports that are not JSON: import the database itself, or an export with a name that ends with .json',
  )

/** What stands between parts of a text, or becomes an error of its own. */
const part = /[\n,[\]{}"'\\]|[ \t]+/g

function hasMoreParts(text: string, most: number): boolean {
  let count = 0
  part.lastIndex = 0
  while (part.test(text)) if (++count > most) return true
  return false
}
