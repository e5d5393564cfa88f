// Reading and writing the text of a file.
import type { Resource } from '../../src-server/contract/files.ts'
import { call, callWithHeaders, HttpFailure } from '../api/http.ts'
import { newAct } from '../core/own-acts.ts'

/** The text of a file, as it was read. */
export type FileText = {
  path: string
  /** Without the byte-order mark. */
  text: string
  /** Whether the file begins with a byte-order mark. */
  hasMark: boolean
  encoding: string
  /** The file must not be saved: some of its bytes are not valid in its encoding. */
  isLossy: boolean
  /** Whether the person may save it. */
  isWritable: boolean
  /** Identifies the content on the server; undefined when the server cannot tell. */
  version: string | undefined
  /** As in a listing. */
  modified: string
  /** Bytes. */
  size: number
}

/** What the page writes; the server converts it. */
export type Written = Pick<FileText, 'path' | 'text' | 'hasMark' | 'encoding'>

const mark = '\ufeff'

/** @param encoding `auto` detects it @returns undefined for a file without text: binary, or of more than 10 MiB @throws HttpFailure */
export async function readText(path: string, { encoding = 'auto', signal }: { encoding?: string; signal: AbortSignal }) {
  const { reply, headers } = await callWithHeaders('GET /api/resources/*', { path, query: { encoding }, signal })
  return textOf(reply, headers.get('ETag') ?? undefined)
}

function textOf(resource: Resource, version: string | undefined): FileText | undefined {
  if (resource.encoding === undefined) return undefined
  const { content = '', encoding, path, modified, size, type, isLossy = false } = resource
  const hasMark = content.startsWith(mark)
  const text = hasMark ? content.slice(mark.length) : content
  return { path, text, hasMark, encoding, isLossy, isWritable: type === 'text', version, modified, size }
}

const contentOf = ({ text, hasMark }: Written): string => (hasMark ? mark + text : text)

/**
 * Replaces the content of a file that still has a version. @returns the new version
 * @throws HttpFailure: 412 when the file has changed, 404 when it is gone, 400 when the encoding lacks a character
 */
export async function saveText(written: Written, version: string | undefined): Promise<string | undefined> {
  const { path, encoding } = written
  const condition = version === undefined ? {} : { ifMatch: version }
  const { headers } = await callWithHeaders('PUT /api/resources/*', {
    path,
    query: { encoding },
    content: contentOf(written),
    act: newAct(),
    ...condition,
  })
  return headers.get('ETag') ?? undefined
}

/** Makes a file. @returns its version @throws HttpFailure: 409 when the name is taken */
export async function createText(written: Written): Promise<string | undefined> {
  const { path, encoding } = written
  const query = { override: 'false', encoding }
  const { headers } = await callWithHeaders('POST /api/resources/*', { path, query, content: contentOf(written), act: newAct() })
  return headers.get('ETag') ?? undefined
}

/** The maximum number of names that are tried. */
const mostNames = 100

/** Calls `make` with a free name beside a path: `a(1).txt`, `a(2).txt`. @returns the path that was made @throws HttpFailure */
export async function underFreeName(path: string, make: (free: string) => Promise<unknown>): Promise<string> {
  for (let number = 1; ; number++) {
    const free = numbered(path, number)
    try {
      await make(free)
      return free
    } catch (failure) {
      const isTaken = failure instanceof HttpFailure && failure.status === 409
      if (!isTaken || number === mostNames) throw failure
    }
  }
}

/** The number is before the ending, as in the copies that the server names. */
function numbered(path: string, number: number): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? `${path.slice(0, dot)}(${number})${path.slice(dot)}` : `${path}(${number})`
}

/** Copies what the file on the server contains now to a free name beside it. @returns its path @throws HttpFailure */
export function copyBeside(path: string): Promise<string> {
  return underFreeName(path, (free) => {
    const destination = free.split('/').map(encodeURIComponent).join('/')
    return call('PATCH /api/resources/*', { path, query: { action: 'copy', destination }, act: newAct() })
  })
}
