// The fields of a tar archive: of a header, and of what stands before one because it has no room in it.
import { Failure } from '../base/failure.ts'
import { damaged, shownName } from './archive-file.ts'

/** Bytes of a header, and of what each content is filled up to. */
export const blockLength = 512

export type TarHeader = Readonly<{
  type: string
  name: Buffer
  link: Buffer
  mode: number
  size: number
  /** Nanoseconds since the epoch. */
  modified: bigint
}>

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

/** @throws Failure('invalid') when it is no header */
export function headerIn(block: Buffer): TarHeader {
  if (!hasChecksum(block)) throw damaged()
  const magic = block.toString('latin1', 257, 263)
  const name = textIn(block, 0, 100)
  // GNU has other fields in place of the prefix.
  const prefix = magic === 'ustar\0' ? textIn(block, 345, 500) : Buffer.alloc(0)
  // GNU writes the label of a volume without the mark.
  const type = magic.startsWith('ustar')
    ? block.toString('latin1', 156, 157)
    : (/^[0-2V]/.exec(block.toString('latin1', 156, 157))?.[0] ?? '0')
  const size = numberIn(block.subarray(124, 136))
  if (size < 0) throw damaged(String(name))
  return {
    type: type === '\0' ? '0' : type,
    name: prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), name]) : name,
    link: textIn(block, 157, 257),
    mode: numberIn(block.subarray(100, 108)),
    size,
    modified: BigInt(numberIn(block.subarray(136, 148))) * 1_000_000_000n,
  }
}

/** Whether a file that begins so is a tar: also one of before there was a mark, and one that holds nothing. */
export function isTarHead(head: Buffer): boolean {
  const isMarked = head.toString('latin1', 257, 262) === 'ustar'
  return isMarked || (head.length === blockLength && (isZero(head) || hasChecksum(head)))
}

/** As programs of before have counted it too, with bytes that may be negative. */
function hasChecksum(block: Buffer): boolean {
  let [sum, signed] = [0, 0]
  for (const [at, byte] of block.entries()) {
    const counted = at >= 148 && at < 156 ? 0x20 : byte
    sum += counted
    signed += counted > 127 ? counted - 256 : counted
  }
  const wanted = Number.parseInt(block.toString('latin1', 148, 156).replaceAll('\0', ' ').trim(), 8)
  return wanted === sum || wanted === signed
}

function textIn(block: Buffer, from: number, to: number): Buffer {
  const field = block.subarray(from, to)
  const end = field.indexOf(0)
  return end < 0 ? field : field.subarray(0, end)
}

/** Octal digits, or the bytes themselves where the first has its highest bit. @throws Failure('invalid') beyond 2^53 */
export function numberIn(field: Buffer): number {
  const [first = 0] = field
  if (first & 0x80) {
    let value = BigInt.asIntN(7, BigInt(first & 0x7f))
    for (const byte of field.subarray(1)) value = value * 256n + BigInt(byte)
    return safe(Number(value))
  }
  const digits = field.toString('latin1').replaceAll('\0', ' ').trim()
  if (digits === '') return 0
  if (!/^[0-7]+$/.test(digits)) throw damaged()
  return safe(Number.parseInt(digits, 8))
}

function safe(value: number): number {
  if (!Number.isSafeInteger(value)) throw damaged()
  return value
}

/** What records of pax say; the keys that are not known say nothing here. */
export type PaxFields = Readonly<{
  path?: Buffer
  linkpath?: Buffer
  size?: number
  modified?: bigint
  /** Of a file with holes: the records `GNU.sparse.…`, without that beginning. */
  sparse?: Readonly<Record<string, string>>
}>

const ofSparse = 'GNU.sparse.'

/** @throws Failure('invalid') */
export function paxFieldsIn(bytes: Buffer): PaxFields {
  const fields: { -readonly [K in keyof PaxFields]: PaxFields[K] } = {}
  const sparse: Record<string, string> = {}
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const digits = bytes.toString('latin1', at, Math.max(at, space))
    const length = /^\d{1,16}$/.test(digits) ? Number(digits) : 0
    const equals = bytes.indexOf(0x3d, space)
    const end = at + length
    const isRight = space > at && length > 0 && equals > space && equals < end && bytes[end - 1] === 0x0a
    if (!isRight || !Number.isSafeInteger(end)) throw damaged()
    const key = bytes.toString('utf8', space + 1, equals)
    const value = bytes.subarray(equals + 1, end - 1)
    if (key === 'path') fields.path = Buffer.from(value)
    else if (key === 'linkpath') fields.linkpath = Buffer.from(value)
    else if (key === 'size') fields.size = sizeIn(String(value))
    else if (key === 'mtime') fields.modified = timeIn(String(value))
    else if (key.startsWith(ofSparse)) sparse[key.slice(ofSparse.length)] = value.toString('latin1')
    at = end
  }
  return Object.keys(sparse).length > 0 ? { ...fields, sparse } : fields
}

function sizeIn(text: string): number {
  if (!/^\d{1,16}$/.test(text)) throw damaged()
  return safe(Number(text))
}

function timeIn(text: string): bigint {
  const [, sign = '', seconds = '0', part = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? []
  const nanoseconds = BigInt(seconds) * 1_000_000_000n + BigInt(part.padEnd(9, '0').slice(0, 9))
  return sign === '-' ? -nanoseconds : nanoseconds
}

export function unsupported(name: string, method: string): Failure {
  const about = { name: shownName(name), method }
  return new Failure('unsupported', '{{name}} is packed with {{method}}, which is not supported', { about })
}
