// Checks the value of each option. Every check throws a StartupError that names the source of the value and a valid example.
import { accessSync, constants, lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname } from 'node:path'
import { createSecureContext } from 'node:tls'
import { StartupError } from '../base/startup-error.ts'
import type { OptionSource } from './option-source.ts'

function invalid({ from, value }: OptionSource, what: string, options?: ErrorOptions): StartupError {
  return new StartupError(`${from} ${value} ${what}.`, options)
}

/** A TCP port, or 0 for any free one. */
export function port(given: OptionSource): number {
  const number = /^\d{1,5}$/.test(given.value) ? Number(given.value) : Number.NaN
  if (number <= 65_535) return number
  throw invalid(given, 'is not a port: it must be a number from 0 to 65535')
}

/** A host name as DNS allows it. */
const hostName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i

/** An IP address or a host name to listen on. */
export function address(given: OptionSource): string {
  if (isIP(given.value) !== 0 || hostName.test(given.value)) return given.value
  throw invalid(
    given,
    'is not an address: it must be an IP address without brackets or port, such as 0.0.0.0 or ::1, or a host name',
  )
}

/** A host name, returned in lower case, in which names are compared. */
export function host(given: OptionSource): string {
  if (hostName.test(given.value)) return given.value.toLowerCase()
  throw invalid(given, 'is not a host name: it must be one such as files.example.org, without a scheme or port')
}

/** The path prefix, returned as '' or '/prefix'. */
export function baseURL(given: OptionSource): string {
  const path = given.value.replace(/\/+$/, '')
  const segments = path.split('/').slice(1)
  const isPath =
    path === '' || (path.startsWith('/') && segments.every((part) => /^[A-Za-z0-9._~-]+$/.test(part) && !/^\.+$/.test(part)))
  if (isPath) return path
  throw invalid(given, 'is not a path: it must be one such as /files, of letters, digits and . _ ~ -')
}

const unitSeconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Seconds: a session lasts no longer. */
const longestLifetime = 30 * 86_400

/** A time such as `30m` or `1h30m`, returned in seconds. */
export function lifetime(given: OptionSource): number {
  const isTime = /^(\d{1,9}[smhd])+$/.test(given.value)
  const parts = isTime ? given.value.matchAll(/(\d+)([smhd])/g) : []
  const seconds = [...parts].reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (unitSeconds[unit] ?? 0), 0)
  if (seconds >= 60 && seconds <= longestLifetime) return seconds
  throw invalid(given, 'is not an accepted time: it must be one such as 30m or 2h, from 1m to 30d')
}

/** A whole number. @param what it is, for the error */
export function number(what: string, least: number, most: number): (given: OptionSource) => number {
  return (given) => {
    const number = /^\d{1,6}$/.test(given.value) ? Number(given.value) : -1
    if (number >= least && number <= most) return number
    throw invalid(given, `is not ${what}: it must be a number from ${least} to ${most}`)
  }
}

/** One of `words`, exactly. */
export function oneOf<T extends string>(given: OptionSource, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === given.value)
  if (word !== undefined) return word
  throw invalid(given, `is not known: it must be one of ${words.join(', ')}`)
}

/** The name of an HTTP header, returned in lower case, as Node names headers. */
export function headerName(given: OptionSource): string {
  if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(given.value)) return given.value.toLowerCase()
  throw invalid(given, 'is not the name of a header: it must be one such as X-Remote-User')
}

/** An IP address, a CIDR range or `unix`. */
export function trustedProxy(given: OptionSource): string {
  if (given.value === 'unix' || isIP(given.value) !== 0 || isRange(given.value)) return given.value
  throw invalid(given, 'is not an address: it must be an IP address, a range such as 10.0.0.0/8, or unix')
}

function isRange(text: string): boolean {
  const [network = '', bits = '', ...more] = text.split('/')
  const widest = isIP(network) === 4 ? 32 : 128
  return more.length === 0 && isIP(network) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= widest
}

/** A folder that exists and can be read. */
export function folder(given: OptionSource): string {
  if (!statsOf(given).isDirectory()) throw invalid(given, 'is not a folder: name the folder')
  if (mayNot(given.value, constants.R_OK | constants.X_OK))
    throw invalid(given, 'cannot be read: its owner must allow it, or name another folder')
  return given.value
}

function statsOf(given: OptionSource): Stats {
  try {
    return statSync(given.value)
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    throw invalid(given, isMissing ? 'does not exist: name a folder that does' : `cannot be read (${reasonOf(cause)})`, { cause })
  }
}

/** A file that exists or can be created: its folder must exist, and nothing but a file may have its name. */
export function newOrExistingFile(given: OptionSource): string {
  inFolder(given)
  if (lookedAt(given, () => statSync(given.value, { throwIfNoEntry: false }))?.isFile() === false)
    throw invalid(given, 'is not a file: name a file, or a name that is free')
  return given.value
}

/** A unix socket that exists or can be created. */
export function newOrExistingSocket(given: OptionSource): string {
  inFolder(given)
  const isOther = lookedAt(given, () => lstatSync(given.value, { throwIfNoEntry: false }))?.isSocket() === false
  if (isOther) throw invalid(given, 'already exists and is not a socket: name another file')
  return given.value
}

/** @throws StartupError where a folder on the way must not be entered, and the like */
function lookedAt(given: OptionSource, look: () => Stats | undefined): Stats | undefined {
  try {
    return look()
  } catch (cause) {
    const problem = `cannot be looked at (${reasonOf(cause)}): its folders must allow that, or name another one`
    throw invalid(given, problem, { cause })
  }
}

function inFolder(given: OptionSource) {
  const parent = dirname(given.value)
  if (lookedAt(given, () => statSync(parent, { throwIfNoEntry: false }))?.isDirectory() === true) return
  throw invalid(given, `lies in ${parent}, which is not a folder: make that folder first`)
}

/** A folder that exists or can be created: its parent must exist. */
export function newOrExistingFolder(given: OptionSource): string {
  const found = lookedAt(given, () => statSync(given.value, { throwIfNoEntry: false }))
  if (found !== undefined && !found.isDirectory()) throw invalid(given, 'is not a folder: name a folder, or a name that is free')
  inFolder(given)
  return given.value
}

/** Paths of a certificate and of its private key, both PEM. @throws StartupError when one cannot be read or they do not match */
export function certificate(cert: OptionSource, key: OptionSource): { cert: string; key: string } {
  const certText = pem(cert, 'a certificate')
  const keyText = pem(key, 'a private key')
  tryContext(cert, { cert: certText }, 'does not hold a certificate: it must be a PEM file')
  tryContext(key, { key: keyText }, 'does not hold a private key: it must be a PEM file without a passphrase')
  tryContext(
    key,
    { cert: certText, key: keyText },
    `is not the key of ${cert.from} ${cert.value}: name the key that belongs to it`,
  )
  return { cert: cert.value, key: key.value }
}

function pem(given: OptionSource, what: string): Buffer {
  try {
    return readFileSync(given.value)
  } catch (cause) {
    throw invalid(given, `cannot be read (${reasonOf(cause)}): name the PEM file of ${what}`, { cause })
  }
}

function tryContext(given: OptionSource, parts: { cert?: Buffer; key?: Buffer }, what: string) {
  try {
    createSecureContext(parts)
  } catch (cause) {
    throw invalid(given, what, { cause })
  }
}

function mayNot(path: string, mode: number) {
  try {
    accessSync(path, mode)
    return false
  } catch {
    return true
  }
}

function reasonOf(error: unknown) {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
