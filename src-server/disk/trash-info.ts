// The information about one entry of a trash, in the format of freedesktop.org (Trash specification 1.0), which other programs read and
// write too. What is ours stands in keys that they leave alone.
import { type Path, parsePath } from '../base/paths.ts'
import type { TrashedItem } from './driver.ts'

export type TrashInfo = Pick<TrashedItem, 'id' | 'path' | 'at' | 'size' | 'why' | 'by' | 'above'> &
  Readonly<{
    /** The absolute path on the host that it had, as bytes: above the served root names need not be UTF-8. */
    hostPath: Buffer
  }>

/** Ends of the names beside the information of an entry that is being removed for good, put back, or replaced without a second name. */
export const noteEnds = ['.purging', '.restoring', '.replacing'] as const

const head = '[Trash Info]'

/** @returns the text of the file that tells about an entry */
export function trashInfoText({ id, hostPath, path, at, size, why, by, above }: TrashInfo): string {
  const lines = {
    Path: percentEncoded(hostPath),
    DeletionDate: localTime(new Date(at)),
    'X-Holdall-Id': id,
    'X-Holdall-Path': percentEncoded(Buffer.from(path)),
    'X-Holdall-Date': new Date(at).toISOString(),
    ...(size !== undefined && { 'X-Holdall-Size': String(size) }),
    'X-Holdall-Why': why,
    'X-Holdall-User': `${by.id} ${percentEncoded(Buffer.from(by.name))}`,
    'X-Holdall-Folders': above.map((identity) => identity || '-').join(' '),
  }
  return [head, ...Object.entries(lines).map(([key, value]) => `${key}=${value}`), ''].join('\n')
}

/** @returns undefined for what this server did not write, or not wholly */
export function parseTrashInfo(text: string): TrashInfo | undefined {
  const [first, ...lines] = text.split('\n')
  if (first !== head || lines.at(-1) !== '') return undefined
  const values = new Map(lines.slice(0, -1).map(keyAndValue))
  const [id, date, why, user] = ['Id', 'Date', 'Why', 'User'].map((key) => values.get(`X-Holdall-${key}`) ?? '')
  const [hostPath, path] = [bytesOf(values.get('Path')), bytesOf(values.get('X-Holdall-Path'))]
  const [, userId, name] = /^(\d{1,15}) (.*)$/.exec(user ?? '') ?? []
  const at = Date.parse(date ?? '')
  const sizeText = values.get('X-Holdall-Size')
  const served = path && pathOf(path.toString())
  const isWhole = /^[0-9a-f]{32}$/.test(id ?? '') && (why === 'delete' || why === 'replace') && !Number.isNaN(at)
  if (!isWhole || !hostPath || !served || userId === undefined || (sizeText !== undefined && !/^\d{1,15}$/.test(sizeText))) {
    return undefined
  }
  return {
    // A part of the text would keep all of it in memory.
    id: Buffer.from(id as string).toString(),
    hostPath,
    path: served,
    at,
    size: sizeText === undefined ? undefined : Number(sizeText),
    why,
    by: { id: Number(userId), name: bytesOf(name)?.toString() ?? '' },
    above: Buffer.from(values.get('X-Holdall-Folders') || '-')
      .toString()
      .split(' ')
      .map((identity) => (identity === '-' ? '' : identity)),
  }
}

function pathOf(text: string): Path | undefined {
  try {
    return parsePath(text)
  } catch {
    return undefined
  }
}

function keyAndValue(line: string): [key: string, value: string] {
  const end = line.indexOf('=')
  return [line.slice(0, end), line.slice(end + 1)]
}

/** As in an address; what needs no escape is what the reference implementation leaves. */
export function percentEncoded(bytes: Buffer): string {
  const encode = (byte: number) => {
    const character = String.fromCharCode(byte)
    return /[\w.~/-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return Array.from(bytes, encode).join('')
}

/** @returns undefined for what is no such text */
export function bytesOf(encoded: string | undefined): Buffer | undefined {
  if (encoded === undefined || /%(?![0-9A-Fa-f]{2})|[^\x20-\x7e]/.test(encoded)) return undefined
  const decoded = encoded.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(decoded, 'latin1')
}

/** `YYYY-MM-DDThh:mm:ss` in the time zone of the server, as the format asks. */
function localTime(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** Bytes of a name in a trash, so that `.trashinfo` and a mark find room in the 255 of a file system. */
export const longestTrashName = 200

/**
 * A name for an entry in a trash: its own, cut at a character, the extension kept; with a mark where that is taken.
 * @param most bytes
 */
export function nameInTrash(name: string, mark: string, most = longestTrashName): string {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 32 ? name.slice(dot) : ''
  const stem = name.slice(0, name.length - extension.length)
  const end = mark === '' ? extension : `~${mark}${extension}`
  return cut(stem, most - Buffer.byteLength(end)) + end
}

function cut(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    end += character.length
  }
  return text.slice(0, end)
}
