// What a failure is for somebody who sends files: nothing of what others have sent, of what is there, or of what a command has written.
import { Failure, type FailureCode } from '../base/failure.ts'

/** What may be said to anybody. */
const plain: readonly string[] = [
  'nothing more is taken in here',
  'the file was removed so that files of others have space',
  'files of this kind are not taken in here',
  'say your name first',
  'folders are not taken in here',
  'a file may have at most {{bytes}} bytes here',
  'nothing has arrived since the last receipt',
  'a name is longer than 255 bytes',
  'the name of a field of the form is too long',
  'a field for files cannot have the name {{name}}',
  'the name is too long',
  'the path is longer than 4,096 bytes',
  'the file system refuses this name',
  'the file system holds no file of this size',
  'another request has taken the upload over',
  'the server speaks tus {{version}}',
  'the bytes of an upload come as {{type}}',
]

/** Failures that say the same for everything that they stand for. */
const sentences: Partial<Record<FailureCode, string>> = {
  tooMany: 'too much has come in a short time',
  full: 'no more can be taken in at the moment',
  forbidden: 'this file is not taken in here',
}

/** Kinds that would tell what is there. */
const instead: Partial<Record<FailureCode, FailureCode>> = { conflict: 'forbidden', unsupported: 'invalid' }

/** Seconds after which somebody may try again who has sent too much. */
const later = 60

/** The same for a sender. A fault stays one: it is logged, and says nothing. */
export function asStranger(error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  const { template, about, retryAfter, allow, isLogged } = error
  const isField = error.code === 'invalid' && typeof about.field === 'string' && !error.isWritten
  if (plain.includes(template) && !error.isWritten) return error
  // Of a header or a field of the call itself.
  if (isField) return error
  const code = instead[error.code] ?? error.code
  const again = retryAfter ?? (code === 'tooMany' ? later : undefined)
  const more = { ...(again !== undefined && { retryAfter: again }), ...(allow && { allow }), isLogged, cause: error }
  return new Failure(code, sentences[code] ?? '', more)
}
