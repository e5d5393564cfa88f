// Uploads by forms, as browsers without JavaScript and `curl -F` send them.
import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { childOf, nameOf, type Path, parsePath, partsOf } from '../base/paths.ts'
import type { Deadlines } from './deadlines.ts'

/** What a form may hold. Files have no limit of their own. */
const limits = { parts: 1000, headerPairs: 32, fileSize: Number.POSITIVE_INFINITY }

/** Fields count for nothing, and are skipped as streams: read as fields, one that is too many or is no JSON would refuse the form. */
const reading = { limits, preservePath: true, throwFileSizeLimit: false, isPartAFile: () => true }

/** Characters of the name of a field. A head that is cut, because it is too long, has lost the name of its file. */
const longestField = 1000

/** Calls in this scope read forms with writeFormFiles(). Other bodies are read as without it, whatever their type. */
export function readForms(scope: FastifyInstance): void {
  // Names are checked here: none is cut to its last part.
  scope.register(multipart, reading)
  scope.addHook('onRequest', async ({ method, raw }) => {
    const type = method === 'POST' ? contentTypeIn(raw.rawHeaders) : undefined
    if (type !== undefined && /^multipart\/form-data *;.*boundary=/i.test(type)) raw.headers['content-type'] = type
  })
}

/** The type as it came: it was removed, because bodies are read whatever it is. */
export function contentTypeIn(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type')
  return at < 0 ? undefined : rawHeaders[at + 1]
}

/** A part of a form. `file`: the name of a file, '' where nobody chose one; undefined for a field. */
type FormPart = Readonly<{ field: string; file: string | undefined; body: AsyncIterable<Uint8Array> }>

/**
 * The parts of a form, one after the other: each must be read to its end.
 * @throws Failure('invalid') for what is no form, has too many parts, or a field with a name that no form can have; at the end for a file
 *   in a field with a name of every object, as `constructor`: it is not read. Such a field without a file counts for nothing.
 */
export async function* formParts({ request, deadlines }: Pick<FormParts, 'request' | 'deadlines'>): AsyncGenerator<FormPart> {
  let lost: string | undefined
  const isPartAFile = (field: string | undefined, _type: string | undefined, file: string | undefined) => {
    if (field !== undefined && file && field in Object.prototype) lost = field
    return true
  }
  try {
    for await (const part of readable(deadlines.sentIn(request, withoutLost(request, { isPartAFile })))) {
      if ((part.fieldname ?? '').length > longestField)
        throw new Failure('invalid', 'the name of a field of the form is too long')
      // Read as a file is, so that a long one counts as a body that arrives.
      const body = readable(deadlines.sentIn(request, part.file))
      yield { field: part.fieldname, file: isField(part) ? undefined : part.filename, body }
    }
    if (lost !== undefined)
      throw new Failure('invalid', 'a field for files cannot have the name {{name}}', { about: { name: lost } })
  } finally {
    // What is left of a refused form is dropped by who sends the refusal.
    request.raw.unpipe()
  }
}

/** The reader of the form skips fields with the names of every object, and throws when it has read all others. */
async function* withoutLost(request: FastifyRequest, how: Parameters<FastifyRequest['files']>[0]): AsyncGenerator<MultipartFile> {
  try {
    yield* request.files(how)
  } catch (error) {
    const isSkipped = (error as { code?: unknown }).code === 'FST_PROTO_VIOLATION' && request.raw.complete
    if (!isSkipped) throw error
  }
}

/** A file of a form. */
type FormFile = Readonly<{ path: Path; body: AsyncIterable<Uint8Array> }>

type FormParts = Readonly<{ request: FastifyRequest; path: Path; asksForFolder: boolean; deadlines: Deadlines }>

/**
 * Writes the files of a form, one after the other.
 * @param path of the folder that they belong into; without a slash at its end, of the only file
 * @param write reads the whole body
 * @throws Failure('invalid') for a name that is not one name, for a form without files or with too many, and for what is no form; and
 *   what `write` throws. A sentence after the first file says how many are written.
 */
export async function writeFormFiles(
  { request, path, asksForFolder, deadlines }: FormParts,
  write: (file: FormFile) => Promise<unknown>,
): Promise<void> {
  let files = 0
  let written = 0
  const refusal = (failure: Failure) => (written === 0 ? failure : failure.withMore(writtenOf(written)))
  try {
    for await (const { file, body } of formParts({ request, deadlines })) {
      // Of an input of a page in which nobody chose a file, the name is empty.
      if (!file) await skip(body)
      else {
        if (files++ > 0 && !asksForFolder)
          throw new Failure('invalid', 'a form with several files needs the address of a folder, with a slash at its end')
        await write({ path: asksForFolder ? childOf(path, oneName(file)) : path, body })
        written++
      }
    }
  } catch (error) {
    throw error instanceof Failure ? refusal(error) : error
  }
  if (files === 0) throw new Failure('invalid', 'the form has no file')
}

/** Reads a part of which nothing is wanted. */
export async function skip(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of body);
}

const writtenOf = (count: number) => (count === 1 ? 'its first file is written' : `its first ${count} files are written`)

/** Whether a part is no file: it has no name of a file, and is not told to be one. */
const isField = ({ filename, mimetype }: Readonly<{ filename: string | undefined; mimetype: string }>) =>
  filename === undefined && mimetype !== 'application/octet-stream'

/** @throws Failure('invalid') for what is no form, at the place where it breaks off, and after the last part that it may have */
async function* readable<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    for await (const item of items) yield item
  } catch (error) {
    if (error instanceof Failure) throw error
    const isTooLong = (error as { code?: unknown }).code === 'FST_PARTS_LIMIT'
    const reason = isTooLong ? `a form can have at most ${limits.parts} files and fields` : 'the form cannot be read'
    throw new Failure('invalid', reason, { cause: error })
  }
}

/** @throws Failure('invalid') */
function oneName(text: string | undefined): string {
  const path = text === undefined ? undefined : parsePath(text)
  if (path === undefined || partsOf(path).length !== 1 || nameOf(path) !== text)
    throw new Failure('invalid', 'the name of a file in a form must be one name, without slashes')
  return text
}
