// Reads a query: `type:image case:sensitive size:>10M changed:<7d word "several words"`.
import { compose, fold } from './fold.ts'
import { type Range, readSizes, readTimes } from './ranges.ts'
import { queryFailure, readTerms } from './read-terms.ts'

/** `folder` and `file`, a media type's first part, or the end of a name with its dot, in lower case. */
export type TypeFilter = Readonly<{ kind: 'folder' | 'file' | 'image' | 'audio' | 'video' } | { ending: string }>

export type Query = Readonly<{
  /** All must occur in the name, folded by `folding`. */
  words: readonly string[]
  folding: (text: string) => string
  /** One must fit, unless there is none. */
  types: readonly TypeFilter[]
  /** Bytes of a file. */
  sizes: readonly Range[]
  /** Milliseconds since the epoch. */
  times: readonly Range[]
}>

const kinds: Readonly<Record<string, 'folder' | 'file' | 'image' | 'audio' | 'video'>> = {
  folder: 'folder',
  file: 'file',
  image: 'image',
  audio: 'audio',
  music: 'audio',
  video: 'video',
}

/** @param now milliseconds since the epoch @throws Failure('invalid') with what is wrong */
export function readQuery(text: string, now: number): Query {
  const query = { words: [] as string[], types: [] as TypeFilter[], sizes: [] as Range[], times: [] as Range[], folding: fold }
  for (const term of readTerms(text)) {
    const [, name = '', value = ''] = (!term.isQuoted && /^(case|type|size|changed):(.*)$/is.exec(term.text)) || []
    switch (name.toLowerCase()) {
      case 'case':
        query.folding = readCase(value)
        break
      case 'type':
        query.types.push(readType(value))
        break
      case 'size':
        query.sizes.push(readSizes(value))
        break
      case 'changed':
        query.times.push(readTimes(value, now))
        break
      default:
        query.words.push(term.text)
    }
  }
  // A word of accents alone folds to nothing.
  const words = query.words.map(query.folding).filter((word) => word !== '')
  return { ...query, words: [...new Set(words)] }
}

/** Whether it asks for nothing at all: then nothing is found. */
export function isEmpty({ words, types, sizes, times }: Query): boolean {
  return words.length + types.length + sizes.length + times.length === 0
}

function readCase(value: string) {
  if (value === 'sensitive') return compose
  if (value === 'insensitive') return fold
  throw queryFailure('case: needs sensitive or insensitive')
}

function readType(value: string): TypeFilter {
  const type = value.toLowerCase().replace(/^\./, '')
  if (type === '') throw queryFailure('type: needs image, audio, video, folder, file or an extension such as pdf')
  const kind = kinds[type]
  return kind ? { kind } : { ending: `.${type}` }
}
