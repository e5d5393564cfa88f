// The English words that the first page does not need. Lazy parts import this file.
import words from 'holdall:more-words'
import { addEnglish } from './locale.ts'

addEnglish(words)
