// Reads what is imported: a database of File Browser, or what its `config export` and `users export` write, in JSON or YAML.
import { StartupError } from '../base/startup-error.ts'
import { readMeta } from './bolt-meta.ts'
import { visible } from './plan-notes.ts'
import { type DatabaseState, readDatabase } from './read-database.ts'
import { openSourceFile, type SourceBytes, SourceFault } from './source-file.ts'
import { recordOf, type SourceContent } from './source-records.ts'
import { JsonValues, parsedYaml } from './values.ts'

/** Bytes of an export. One of a thousand users has about one million. */
const longestExport = 4 << 20

/** What was read; `state` is that of a database. */
export type Source = SourceContent & Readonly<{ state?: DatabaseState }>

/**
 * Reads a database, or the exports, each from one file.
 * @throws StartupError with one sentence that names the file
 */
export function readSources(files: readonly string[]): Source {
  const [first, ...others] = files.map(readOne)
  if (first === undefined)
    throw new StartupError('Name the file to import: filebrowser.db, or what config export and users export wrote.')
  return others.reduce(joined, first)
}

function readOne(file: string): Source {
  try {
    const bytes = openSourceFile(file)
    try {
      // A database that somebody writes may be read half before a change and half after it.
      const source = bytes.isLocked() ? undefined : readSource(bytes)
      if (source === undefined || isChanged(bytes, source)) throw new SourceFault('is in use: stop File Browser first')
      return source
    } finally {
      bytes.close()
    }
  } catch (cause) {
    if (!(cause instanceof SourceFault)) throw cause
    throw new StartupError(`${file} ${visible(cause.message)}.`, { cause })
  }
}

function isChanged(bytes: SourceBytes, { state }: Source): boolean {
  return state !== undefined && readMeta(bytes).transaction !== state.transaction
}

/** Both exports together are what a database holds, without links. */
function joined(one: Source, other: Source): Source {
  const isTwice = (one.settings && other.settings) || (one.users.length > 0 && other.users.length > 0)
  if (isTwice || one.state || other.state)
    throw new StartupError('Two files are imported together only when one is of config export and the other of users export.')
  return {
    ...one,
    ...other,
    users: [...one.users, ...other.users],
    links: [],
    lastId: Math.max(one.lastId, other.lastId),
    unknown: [...one.unknown, ...other.unknown],
  }
}

/** @throws SourceFault for what is neither, and for what is damaged */
export function readSource(bytes: SourceBytes): Source {
  const begin = bytes.read(0, Math.min(bytes.size, 4096))
  // Text has no zeros, and the header of the first page has some.
  if (bytes.size === 0) throw new SourceFault('is empty')
  if (begin.includes(0)) return readDatabase(bytes)
  if (bytes.size > longestExport) throw new SourceFault('is not a database of File Browser, nor an export of it')
  return exported(documentIn(bytes.read(0, bytes.size)))
}

function documentIn(bytes: Buffer): unknown {
  const isJson = /^[\s\ufeff]*[[{]/.test(bytes.toString('utf8', 0, 4096))
  return isJson ? new JsonValues().parse(bytes, 'the export') : parsedYaml(bytes)
}

function exported(document: unknown): Source {
  const unknown: string[] = []
  if (Array.isArray(document)) {
    const users = document.map((user, index) => recordOf('user', user, { place: `user ${index + 1} of the export`, unknown }))
    checkIds(users)
    return { users, links: [], lastId: Math.max(0, ...users.map(({ id }) => id)), unknown }
  }
  const { settings, server, auther } = fieldsOf(document)
  const of = (place: string) => ({ place: `the record "${place}"`, unknown })
  return {
    users: [],
    links: [],
    settings: recordOf('settings', settings, of('settings')),
    server: recordOf('server', server, of('server')),
    ...(auther !== undefined && auther !== null && { auther: recordOf('auther', auther, of('auther')) }),
    lastId: 0,
    unknown,
  }
}

/** @throws SourceFault for what is no export of the configuration */
function fieldsOf(document: unknown): Readonly<Record<string, unknown>> {
  if (typeof document === 'object' && document !== null && 'settings' in document && 'server' in document)
    return document as Readonly<Record<string, unknown>>
  throw new SourceFault('is neither a database of File Browser nor an export of it: it holds neither users nor settings')
}

/** Exports may be changed by hand. @throws SourceFault for an id that is none, or another's */
function checkIds(users: readonly { id: number }[]): void {
  const ids = new Set<number>()
  for (const [index, { id }] of users.entries()) {
    if (id === 0 || ids.has(id))
      throw new SourceFault(
        `is damaged: user ${index + 1} of the export has the id ${id}, which is ${id > 0 ? "another's" : 'none'}`,
      )
    ids.add(id)
  }
}
