// Uploads by forms, as browsers without JavaScript and `curl -F` send them.
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '../base/failure.ts'
import { childOf, nameOf, type Path, parsePath, partsOf } from '../base/paths.ts'
import type { Deadlines } from './deadlines.ts'

/** What a form may hold. Its other fields count for nothing, so little of them is kept; files have no limit of their own. */
const limits = {
  parts: 1000,
  fields: 100,
  fieldSize: 4096,
  fieldNameSize: 256,
  headerPairs: 32,
  fileSize: Number.POSITIVE_INFINITY,
}

/** Calls in this scope read forms with formFiles(). Other bodies are read as without it, whatever their type. */
export function readForms(scope: FastifyInstance): void {
  // Names are checked here: none is cut to its last part.
  scope.register(multipart, { limits, preservePath: true, throwFileSizeLimit: false })
  scope.addHook('onRequest', async ({ method, raw }) => {
    const type = method === 'POST' ? contentTypeIn(raw.rawHeaders) : undefined
    if (type !== undefined && /^multipart\/form-data *;.*boundary=/i.test(type)) raw.headers['content-type'] = type
  })
}

/** The type as it came: it was removed, because bodies are read whatever it is. */
function contentTypeIn(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type')
  return at < 0 ? undefined : rawHeaders[at + 1]
}

/** A file of a form. */
type FormFile = Readonly<{ path: Path; body: AsyncIterable<Uint8Array> }>

type FormParts = Readonly<{ request: FastifyRequest; path: Path; asksForFolder: boolean; deadlines: Deadlines }>

/**
 * The files of a form, one after the other. Each must be read before the next comes.
 * @param path of the folder that they belong into; without a slash at its end, of the only file
 * @throws Failure('invalid') for a name that is not one name, for a form without files, and for what is no form
 */
export async function* formFiles({ request, path, asksForFolder, deadlines }: FormParts): AsyncGenerator<FormFile> {
  let files = 0
  try {
    for await (const part of readable(deadlines.sentIn(request, request.parts()))) {
      if (part.type !== 'file') continue
      // An input of a page in which nobody chose a file.
      if (part.filename === '') part.file.resume()
      else {
        if (files++ > 0 && !asksForFolder)
          throw new Failure('invalid', 'a form with several files needs the address of a folder, with a slash at its end')
        const target = asksForFolder ? childOf(path, oneName(part.filename)) : path
        yield { path: target, body: readable(deadlines.sentIn(request, part.file)) }
      }
    }
  } finally {
    // What is left of a refused form is dropped by who sends the refusal.
    request.raw.unpipe()
  }
  if (files === 0) throw new Failure('invalid', 'the form has no file')
}

/** @throws Failure('invalid') for what is no form, and at the place where it breaks off */
async function* readable<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    for await (const item of items) yield item
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('invalid', 'the form cannot be read', { cause: error })
  }
}

/** @throws Failure('invalid') */
function oneName(text: string | undefined): string {
  const path = text === undefined ? undefined : parsePath(text)
  if (path === undefined || partsOf(path).length !== 1 || nameOf(path) !== text)
    throw new Failure('invalid', 'the name of a file in a form must be one name, without slashes')
  return text
}
