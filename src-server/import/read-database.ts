// Reads what File Browser 2 keeps in a BoltDB file, by way of storm: a bucket of users, one of links, and one of settings.
import { type BoltBucket, type BoltEntry, BoltFile } from './bolt-file.ts'
import { type SourceBytes, SourceFault } from './source-file.ts'
import { highestId, recordOf, type SourceContent, type SourceKind, type SourceLink, type SourceUser } from './source-records.ts'
import { JsonValues } from './values.ts'

/** Far more than any record of File Browser: bytes of one. */
const longestRecord = 1 << 20

/** The last whole state of a database. `isPrevious`: a later one may have been begun. */
export type DatabaseState = Readonly<{ transaction: bigint; isPrevious: boolean }>

/** @throws SourceFault for a damaged file, and for one of another program or of File Browser 1 */
export function readDatabase(bytes: SourceBytes): SourceContent & { state: DatabaseState } {
  const bolt = new BoltFile(bytes)
  const { transaction, isOnlyOne: isPrevious } = bolt.meta
  const buckets = bucketsOf(bolt)
  const unknown: string[] = []
  const json = new JsonValues()
  const config = recordsOf(buckets.get('config'), 'config', json)
  checkVersion(config.values)
  const { values, counter } = recordsOf(buckets.get('User'), 'User', json)
  const users = [...values].map(([key, value]) => userOf(key, value, unknown))
  const links = [...recordsOf(buckets.get('Link'), 'Link', json).values].map(([key, value]) => linkOf(key, value, unknown))
  const setting = <K extends SourceKind>(kind: K) => {
    const value = config.values.get(hexOf(kind))
    return value === undefined ? {} : { [kind]: recordOf(kind, value, { place: `the record "${kind}"`, unknown }) }
  }
  const lastId = Math.max(0, counter, ...users.map(({ id }) => id))
  const records = { ...setting('settings'), ...setting('server'), ...setting('auther') }
  return { users, links, ...records, lastId, unknown, state: { transaction, isPrevious } }
}

function bucketsOf(bolt: BoltFile): Map<string, BoltBucket> {
  const buckets = [...bolt.entries()].map(({ key, bucket }) => [key.toString(), bucket()] as const)
  return new Map(buckets.filter((pair): pair is readonly [string, BoltBucket] => pair[1] !== undefined))
}

type Stored = {
  /** By key, in hexadecimal digits: keys of users are numbers. */
  values: Map<string, unknown>
  /** The highest id that was given. */
  counter: number
}

function recordsOf(bucket: BoltBucket | undefined, name: string, json: JsonValues): Stored {
  const values = new Map<string, unknown>()
  let counter = 0
  for (const entry of bucket?.entries() ?? []) {
    const inner = entry.bucket()
    // The other buckets are indexes: the records are enough.
    if (inner === undefined) values.set(entry.key.toString('hex'), jsonOf(entry, name, json))
    else if (entry.key.toString() === '__storm_metadata') counter = counterIn(inner, name)
  }
  return { values, counter }
}

function counterIn(metadata: BoltBucket, name: string): number {
  let counter = 0
  for (const { key, value } of metadata.entries()) {
    if (key.toString() === 'codec' && value().toString() !== 'json')
      throw new SourceFault(`has records in another encoding than JSON in "${name}", as no release of File Browser does`)
    if (key.toString() === 'IDcounter') counter = numberOf(value())
  }
  return counter
}

function jsonOf(entry: BoltEntry, name: string, json: JsonValues): unknown {
  const bytes = entry.value()
  const place = `a record of "${name}"`
  if (bytes.length > longestRecord) throw new SourceFault(`is damaged: ${place} has ${bytes.length} bytes`)
  return json.parse(bytes, place)
}

function userOf(key: string, value: unknown, unknown: string[]): SourceUser {
  const id = numberOf(Buffer.from(key, 'hex'))
  const user = recordOf('user', value, { place: `user ${id}`, unknown })
  if (user.id !== id || id === 0) throw new SourceFault(`is damaged: user ${id} says that it is user ${user.id}`)
  return user
}

function linkOf(key: string, value: unknown, unknown: string[]): SourceLink {
  const hash = Buffer.from(key, 'hex').toString()
  const link = recordOf('link', value, { place: `link ${JSON.stringify(hash.slice(0, 64))}`, unknown })
  if (link.hash !== hash)
    throw new SourceFault(`is damaged: link ${JSON.stringify(hash.slice(0, 64))} says that it is another one`)
  return link
}

/** An id, as 8 bytes, the highest first. */
function numberOf(bytes: Buffer): number {
  const number = bytes.length === 8 ? bytes.readBigUInt64BE(0) : 2n ** 64n
  if (number > BigInt(highestId)) throw new SourceFault('is damaged: an id of a user is no such number')
  return Number(number)
}

function checkVersion(config: ReadonlyMap<string, unknown>): void {
  const has = (name: string) => config.has(hexOf(name))
  if (!has('settings') && (has('key') || has('commands')))
    throw new SourceFault('was written by File Browser 1, which is not read: upgrade it with a release of File Browser 2 first')
  if (!has('settings')) throw new SourceFault('holds no settings, as every database of File Browser does')
  const version = config.get(hexOf('version'))
  if (version !== 2)
    throw new SourceFault(`is in version ${JSON.stringify(version) ?? 'none'} of its content, and not in version 2`)
}

const hexOf = (text: string) => Buffer.from(text).toString('hex')
