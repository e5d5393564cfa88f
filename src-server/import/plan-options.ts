// The record of the server, and how one signs in, as options.
import { StartupError } from '../base/startup-error.ts'
import { captchaHost, captchaKey } from '../options/captcha-options.ts'
import * as check from '../options/checks.ts'
import type { OptionName } from '../options/option-table.ts'
import { quoted } from './plan-notes.ts'
import type { PlanParts } from './plan-parts.ts'
import type { SourceAuther, SourceContent, SourceServer } from './source-records.ts'

/** Keys of a file for --config, with their values. */
export type PlannedOptions = Readonly<Partial<Record<OptionName, string | boolean>>>

/** Options, and the secret of a captcha, which has a file of its own. */
export type PlannedServer = Readonly<{ options: PlannedOptions; captchaSecret?: string }>

const about = 'the server'

export function plannedServer({ server, auther, settings }: SourceContent, parts: PlanParts): PlannedServer {
  const captcha = settings?.authMethod === 'json' ? captchaOf(auther, parts) : {}
  tellMethod(settings?.authMethod ?? 'json', auther, parts)
  if (server === undefined) return { options: {} }
  tellServer(server, parts)
  const { captchaSecret, ...options } = captcha
  return {
    options: { ...listening(server, parts), ...pictures(server), ...tokenLife(server, parts), ...options },
    ...(captchaSecret !== undefined && { captchaSecret }),
  }
}

function listening(
  { socket = '', address = '', port = '', baseURL = '', tlsCert = '', tlsKey = '' }: SourceServer,
  parts: PlanParts,
): PlannedOptions {
  const isTls = tlsCert !== '' && tlsKey !== ''
  // They come all the same: without them the server would listen to everybody, or in clear text.
  if (socket !== '') tellUnusable('socket', parts, () => check.newOrExistingSocket({ value: socket, from: 'socket' }))
  if (isTls)
    tellUnusable('certificate', parts, () => check.certificate({ value: tlsCert, from: 'cert' }, { value: tlsKey, from: 'key' }))
  return {
    // A socket takes the place of address and port, there as here.
    ...(socket === ''
      ? { ...one('address', address === '' ? '0.0.0.0' : address, check.address, parts), ...one('port', port, check.port, parts) }
      : { socket }),
    ...one('baseurl', baseURL === '' || baseURL.startsWith('/') ? baseURL : `/${baseURL}`, check.baseURL, parts),
    ...(isTls && { cert: tlsCert, key: tlsKey }),
  }
}

/** Names a file with which the server would not start. */
function tellUnusable(what: string, { notes }: PlanParts, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    const reason = error instanceof StartupError ? error.message.replace(/\.$/, '') : 'it is no path'
    notes.look(
      about,
      `the ${what} cannot be used as it is, and the server does not start until that is mended: ${quoted(reason)}`,
    )
  }
}

/** An option with a value that it may have. */
function one(
  name: OptionName,
  value: string,
  read: (given: { value: string; from: string }) => unknown,
  { notes }: PlanParts,
): PlannedOptions {
  if (value === '') return {}
  try {
    read({ value, from: `--${name}` })
    return { [name]: value }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    notes.left(about, `${name} ${quoted(value)}, which is none that is possible`)
    return {}
  }
}

/** Up to 2.7 these were stored as off whatever was chosen; the record has had `enableExec` since 2.8. */
function pictures({ enableThumbnails, resizePreview, enableExec }: SourceServer): PlannedOptions {
  if (enableExec === undefined) return {}
  return {
    ...(enableThumbnails === false && { 'no-thumbnails': true }),
    ...(resizePreview === false && { 'no-resize-preview': true }),
  }
}

/** Go writes `8h0m0s`, people `8h`. */
function tokenLife({ tokenExpirationTime = '' }: SourceServer, parts: PlanParts): PlannedOptions {
  return one('token-lifetime', tokenExpirationTime.replaceAll(/(?<!\d)0[hms]/g, ''), check.lifetime, parts)
}

type Captcha = PlannedOptions & { captchaSecret?: string }

/** All of it or nothing: with another host or key nobody could sign in. */
function captchaOf(auther: SourceAuther | undefined, parts: PlanParts): Captcha {
  const { host = '', key = '', secret = '' } = auther?.recaptcha ?? {}
  if (key === '' || secret === '') return {}
  const options = { ...one('captcha-key', key, captchaKey, parts), ...one('captcha-host', host, captchaHost, parts) }
  const isWhole = options['captcha-key'] !== undefined && (host === '' || options['captcha-host'] !== undefined)
  if (isWhole && /^[\x21-\x7e]{1,256}$/.test(secret)) return { ...options, captchaSecret: secret }
  parts.notes.left(about, 'the captcha: nobody is asked for one at the sign-in')
  return {}
}

function tellMethod(method: string, auther: SourceAuther | undefined, { notes }: PlanParts): void {
  const sentences: Readonly<Record<string, string>> = {
    proxy: `a proxy named the user in ${quoted(auther?.header ?? '')}: that needs --auth-header and --trusted-proxy with the address of the proxy; until then people sign in with their passwords`,
    noauth: 'nobody had to sign in: that needs --noauth; until then people sign in with their passwords',
    hook: `a program decided who signs in (${quoted(auther?.command ?? '')}): there is no such thing here, and people sign in with their passwords`,
  }
  const sentence = sentences[method]
  if (sentence !== undefined) notes.left('the sign-in', sentence)
}

function tellServer(server: SourceServer, { notes, facts }: PlanParts): void {
  if (server.root !== facts.root)
    notes.look(about, `served ${quoted(server.root)}, and ${quoted(facts.root)} is served from now on`)
  if (server.enableExec) notes.left(about, 'commands were on: they need --enable-exec here')
  if ((server.authHook ?? '') !== '') notes.left(about, 'authHook, a program that decides who signs in')
  if (server.followExternalSymlinks)
    notes.left(about, 'following links out of the root: name the folders that they may lead to with --links-into')
  if ((server.log ?? '') !== '' && server.log !== 'stdout')
    notes.left(about, `the log in ${quoted(server.log ?? '')}: it needs --log here`)
  if (server.typeDetectionByHeader === false)
    notes.left(about, 'finding out types of files by their names alone: there is no such option')
}
