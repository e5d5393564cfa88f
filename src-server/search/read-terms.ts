import { Failure } from '../base/failure.ts'

const longestQuery = 1000
const mostTerms = 16

/** A word of a query; in quotes it never counts as a filter. */
export type Term = Readonly<{ text: string; isQuoted: boolean }>

/** Words, and texts in quotes: from a quote at the beginning of a word to one at the end of a word, or to the end of the query. */
const pattern = /"(?<quoted>.*?)(?:"(?=\s|$)|$)|(?<word>\S+)/gsu

/** The refusal of a query. */
export const queryFailure = (sentence: string): Failure => new Failure('invalid', sentence, { about: { field: 'query' } })

/** @throws Failure('invalid') for a query that is too long or has too many words */
export function readTerms(query: string): Term[] {
  if (query.length > longestQuery) throw queryFailure('the query is longer than 1,000 characters')
  const terms = termsOf(query)
  if (terms.length > mostTerms) throw queryFailure('the query has more than 16 words')
  return terms
}

export function termsOf(text: string): Term[] {
  const terms = [...text.matchAll(pattern)].map(({ groups }) =>
    groups?.quoted === undefined ? { text: groups?.word ?? '', isQuoted: false } : { text: groups.quoted, isQuoted: true },
  )
  return terms.filter((term) => term.text !== '')
}
