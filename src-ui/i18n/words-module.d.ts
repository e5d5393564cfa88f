// scripts/split-words.ts
declare module 'holdall:more-words' {
  import type { Words } from './locale.ts'

  const words: Words
  export default words
}
