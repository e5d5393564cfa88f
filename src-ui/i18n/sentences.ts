import { locale } from './locale.ts'

/** Sentences one after the other, with a space between them where the language has one. What is not a text is left out. */
export const joinSentences = (...sentences: readonly (string | false | undefined)[]): string =>
  sentences.filter(Boolean).join(/^(ja|zh)/.test(locale.value.code) ? '' : ' ')
