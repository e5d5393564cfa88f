// The bytes of names in an archive, which are not always UTF-8 and do not say what else they are.
import iconv from 'iconv-lite'
import { Failure } from '../base/failure.ts'
import type { NameEncoding } from '../contract/jobs.ts'
import { nameEncodings } from '../contract/jobs.ts'
import { shownName } from './archive-file.ts'
import { refusedName } from './entry-name.ts'

/** How many names are shown to a person who is to choose, and their characters. */
const [mostSamples, longestSample] = [3, 60]

/** How other packages call them. */
const iconvNames: Readonly<Record<NameEncoding, string>> = {
  ...{ cp437: 'cp437', shift_jis: 'shift_jis', gbk: 'gbk', 'windows-1251': 'win1251' },
}

export class ArchiveNames {
  readonly #encoding: NameEncoding | undefined
  readonly #samples: Uint8Array[] = []

  /** @param encoding of the names that are not said to be UTF-8; without it, of all that are not UTF-8 it is asked */
  constructor(encoding?: NameEncoding) {
    this.#encoding = encoding
  }

  /**
   * The text of a name. Without an encoding, what is not UTF-8 is replaced, and `assertKnown` throws at the end.
   * @param isUtf8 whether the archive says so @throws Failure('invalid') when the name is not as it is said to be
   */
  textOf(bytes: Uint8Array, isUtf8: boolean): string {
    const encoding = isUtf8 ? undefined : this.#encoding
    if (encoding) return decoded(bytes, encoding) ?? thrown(refusedName(latin(bytes)))
    const text = utf8(bytes)
    if (text !== undefined) return text
    if (isUtf8) throw refusedName(latin(bytes))
    if (this.#samples.length < mostSamples) this.#samples.push(Buffer.from(bytes))
    // A byte behind such a one may belong to it, and be no slash.
    return latin(bytes).replaceAll(/[\x80-\xff](?:.|\n)?/g, '__')
  }

  /** @throws Failure('unsupported') with the names as they may be, when some are neither UTF-8 nor known to be something else */
  assertKnown(): void {
    if (this.#samples.length === 0) return
    const possible = nameEncodings.flatMap((encoding) => {
      const names = this.#samples.map((bytes) => decoded(bytes, encoding))
      return names.includes(undefined) ? [] : [[encoding, names.map((name) => shownName(name ?? '', longestSample)).join('\n')]]
    })
    const texts: Readonly<Record<string, string>> = Object.fromEntries(possible)
    const likely = likelyOf(texts, latin(Buffer.concat(this.#samples)))
    const about = { ...texts, ...(likely && { likely }) }
    throw new Failure('unsupported', 'the names in the archive are not UTF-8', { about })
  }
}

function thrown(error: Failure): never {
  throw error
}

/**
 * The encoding that is chosen at first. A package that guesses the encoding of texts says nothing of a few words.
 * @param bytes a character for each
 */
function likelyOf(texts: Readonly<Record<string, string>>, bytes: string): NameEncoding | undefined {
  const { cp437 = '', shift_jis: japanese, gbk, 'windows-1251': russian = '' } = texts
  // By their numbers: esbuild leaves regular expressions as they are, and the executable reads other characters in them wrongly.
  const isWord = (text: string) => !/\p{Ll}\p{Lu}/u.test(text)
  if (/[\u0430-\u044f\u0451]/.test(russian) && /^[\p{ASCII}\u0410-\u044f\u0401\u0451\u2026]*$/u.test(russian) && isWord(russian))
    return 'windows-1251'
  if (japanese !== undefined && /[\u3041-\u30fa]/.test(japanese)) return 'shift_jis'
  // The characters of GB 2312, which are those in use.
  if (gbk !== undefined && /^(?:\p{ASCII}|[\xa1-\xf7][\xa1-\xfe])*$/u.test(bytes)) return 'gbk'
  if (/^[\p{ASCII}\p{Script=Latin}\u2026]*$/u.test(cp437) && isWord(cp437) && !cp437.includes('\\')) return 'cp437'
  return japanese === undefined ? undefined : 'shift_jis'
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** @returns undefined unless the same bytes come of the text again */
function decoded(bytes: Uint8Array, encoding: NameEncoding): string | undefined {
  const name = iconvNames[encoding]
  const text = iconv.decode(Buffer.from(bytes), name, { stripBOM: false })
  return iconv.encode(text, name).equals(bytes) ? text : undefined
}
