// The headers of tus 1.0: https://tus.io/protocols/resumable-upload
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusedField } from '../base/failure.ts'
import type { UploadProgress } from '../uploads/own-uploads.ts'
import { type Checksum, checksumAlgorithms } from '../uploads/piece-body.ts'

export const tusVersion = '1.0.0'

/** What OPTIONS tells. */
export const abilities = {
  'Tus-Resumable': tusVersion,
  'Tus-Version': tusVersion,
  'Tus-Extension': 'creation,creation-with-upload,creation-defer-length,termination,checksum,expiration',
  'Tus-Checksum-Algorithm': checksumAlgorithms.join(','),
} as const

/** Bytes. */
const longestMetadata = 4096

type Headers = FastifyRequest['headers']

/** A request of tus, and none of the older form that File Browser had. */
export const isTus = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers['tus-resumable'] !== undefined

/** @throws Failure('invalid') */
export function offsetIn(headers: Headers): number {
  return countIn(headers, 'Upload-Offset') ?? count('Upload-Offset', '')
}

/** @returns undefined when it is not said @throws Failure('invalid') */
export function lengthIn(headers: Headers): number | undefined {
  return countIn(headers, 'Upload-Length')
}

/** The length of a new upload; undefined when it is to be said later. @throws Failure('invalid') when nothing or both is said */
export function newLengthIn(headers: Headers): number | undefined {
  const length = lengthIn(headers)
  const deferred = headers['upload-defer-length']
  if (deferred !== undefined && deferred !== '1') throw refusedField('Upload-Defer-Length', 'must be 1')
  if ((length === undefined) === (deferred === undefined))
    throw refusedField('Upload-Length', 'or Upload-Defer-Length is needed, and not both')
  return length
}

/** As it came, once it has been checked. @throws Failure('invalid') */
export function metadataIn(headers: Headers): string | undefined {
  const text = textIn(headers, 'Upload-Metadata')
  if (text === undefined || text === '') return undefined
  const keys = new Set<string>()
  for (const pair of text.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    const isRight = /^[\x21-\x7e]+$/.test(key) && isBase64(value) && more.length === 0 && !keys.has(key)
    if (!isRight) throw refusedField('Upload-Metadata', 'must be pairs of a key and a value in Base64')
    keys.add(key)
  }
  if (Buffer.byteLength(text) > longestMetadata) throw refusedField('Upload-Metadata', 'is longer than 4,096 bytes')
  return text
}

/** @throws Failure('invalid') also for an algorithm that is not known */
export function checksumIn(headers: Headers): Checksum | undefined {
  const text = textIn(headers, 'Upload-Checksum')
  if (text === undefined) return undefined
  const [name = '', value = '', ...more] = text.trim().split(' ')
  const algorithm = checksumAlgorithms.find((one) => one === name)
  if (!algorithm) throw refusedField('Upload-Checksum', 'is of an algorithm that is not known')
  const digest = Buffer.from(value, 'base64')
  const isRight = isBase64(value) && more.length === 0 && digest.length === (algorithm === 'sha1' ? 20 : 32)
  if (!isRight) throw refusedField('Upload-Checksum', 'must be an algorithm and a digest in Base64')
  return { algorithm, digest }
}

/** What is told of an upload with each answer. */
export function tellProgress(reply: FastifyReply, { offset, expires, isFinished }: UploadProgress): FastifyReply {
  if (!isFinished) reply.header('Upload-Expires', new Date(expires).toUTCString())
  return reply.header('Upload-Offset', offset)
}

/** All that is known of one, to who asks. */
export function tellAll(reply: FastifyReply, upload: UploadProgress): FastifyReply {
  const { length, metadata } = upload
  if (length === undefined) reply.header('Upload-Defer-Length', 1)
  else reply.header('Upload-Length', length)
  if (metadata !== undefined) reply.header('Upload-Metadata', metadata)
  return tellProgress(reply, upload).header('Cache-Control', 'no-store')
}

const isBase64 = (text: string) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(text)

function textIn(headers: Headers, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  if (Array.isArray(value)) throw refusedField(name, 'is there twice')
  return value
}

function countIn(headers: Headers, name: string): number | undefined {
  const text = textIn(headers, name)
  return text === undefined ? undefined : count(name, text)
}

function count(name: string, text: string): number {
  // No more digits than a number holds exactly.
  if (!/^\d{1,15}$/.test(text)) throw refusedField(name, 'must be a number of bytes')
  return Number(text)
}
