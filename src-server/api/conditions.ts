// Conditional requests (RFC 9110, section 13).
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { VersionCondition } from '../files/version-condition.ts'

/** The validators of a file. */
export type Versioned = Readonly<{
  /** Opaque; '' when the file system gives no version. */
  version: string
  /** Nanoseconds since the epoch. */
  modified: bigint
}>

/** Sets the ETag of an answer. It is a strong one: different content has a different tag. */
export function tagged(reply: FastifyReply, { version }: Pick<Versioned, 'version'>): void {
  if (version !== '') reply.header('ETag', tagOf(version))
}

/** The preconditions of a request that writes. */
export function versionCondition(headers: IncomingHttpHeaders): VersionCondition {
  return { match: versionsIn(headers['if-match']), noneMatch: versionsIn(headers['if-none-match']) }
}

/**
 * Whether a GET or HEAD is answered 304, because the client has this content.
 * @throws Failure('changed') when the request is for another version
 */
export function isNotModified(headers: IncomingHttpHeaders, asked: Versioned): boolean {
  refuseOther(headers, asked)
  // Sent by browsers when the user reloads a page.
  if (headers['cache-control']?.includes('no-cache')) return false
  const noneMatch = versionsIn(headers['if-none-match'], 'weak too')
  if (noneMatch !== undefined) return noneMatch === 'any' || noneMatch.includes(asked.version)
  return secondOf(asked) <= Date.parse(headers['if-modified-since'] ?? '')
}

/** Whether the Range header of a request applies: not when If-Range names another version. */
export function isRangeOf(headers: IncomingHttpHeaders, asked: Versioned): boolean {
  const condition = headers['if-range'] as string | undefined
  if (condition === undefined) return true
  return condition === tagOf(asked.version) || Date.parse(condition) === secondOf(asked)
}

function refuseOther(headers: IncomingHttpHeaders, asked: Versioned) {
  const match = versionsIn(headers['if-match'])
  const isOther =
    match === undefined
      ? secondOf(asked) > Date.parse(headers['if-unmodified-since'] ?? '')
      : match !== 'any' && !match.includes(asked.version)
  if (isOther) throw new Failure('changed')
}

/** The versions in a list of entity tags. The server sends strong tags, which a proxy may have made weak. */
function versionsIn(list: string | undefined, weak?: 'weak too'): readonly string[] | 'any' | undefined {
  if (list === undefined) return undefined
  if (list.trim() === '*') return 'any'
  const tags = [...list.matchAll(/(W\/)?"([^"]*)"/g)]
  return tags.filter(([, isWeak]) => weak || !isWeak).map(([, , version]) => version ?? '')
}

/** Milliseconds since the epoch, rounded down to seconds as in HTTP dates. */
function secondOf({ modified }: Versioned): number {
  return Number(modified / 1_000_000_000n) * 1000
}

function tagOf(version: string) {
  return `"${version}"`
}
