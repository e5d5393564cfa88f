// What a request says about the version that it wants or has (RFC 9110, section 13).
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { Failure } from '../base/failure.ts'
import type { VersionCondition } from '../files/version-condition.ts'

/** What conditions are asked about. */
export type Versioned = Readonly<{
  /** Opaque; '' when nothing is known of the content. */
  version: string
  /** Nanoseconds since the epoch. */
  modified: bigint
}>

/** The answer has the version's entity tag from here on. It is a strong one: another content has another. */
export function tagged(reply: FastifyReply, { version }: Pick<Versioned, 'version'>): void {
  if (version !== '') reply.header('ETag', tagOf(version))
}

/** The conditions of a request that writes. */
export function versionCondition(headers: IncomingHttpHeaders): VersionCondition {
  return { match: versionsIn(headers['if-match']), noneMatch: versionsIn(headers['if-none-match']) }
}

/**
 * Whether the client of a GET or HEAD has this content already, and is answered 304.
 * @throws Failure('changed') when it asks for another version
 */
export function isNotModified(headers: IncomingHttpHeaders, asked: Versioned): boolean {
  refuseOther(headers, asked)
  // Whoever loads a page anew wants the content, whatever it has.
  if (headers['cache-control']?.includes('no-cache')) return false
  const noneMatch = versionsIn(headers['if-none-match'], 'weak too')
  if (noneMatch !== undefined) return noneMatch === 'any' || noneMatch.includes(asked.version)
  return secondOf(asked) <= Date.parse(headers['if-modified-since'] ?? '')
}

/** Whether the ranges of a request count: they do not when they are of another version than this. */
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

/** The versions of a list of entity tags. A weak tag is none of ours, but a proxy may have made it of one that is. */
function versionsIn(list: string | undefined, weak?: 'weak too'): readonly string[] | 'any' | undefined {
  if (list === undefined) return undefined
  if (list.trim() === '*') return 'any'
  const tags = [...list.matchAll(/(W\/)?"([^"]*)"/g)]
  return tags.filter(([, isWeak]) => weak || !isWeak).map(([, , version]) => version ?? '')
}

/** Milliseconds of the last whole second, as HTTP says times. */
function secondOf({ modified }: Versioned): number {
  return Number(modified / 1_000_000_000n) * 1000
}

function tagOf(version: string) {
  return `"${version}"`
}
