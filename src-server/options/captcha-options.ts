import { readFileSync } from 'node:fs'
import { StartupError } from '../base/startup-error.ts'
import type { OptionSource, OptionSources } from './option-source.ts'
import type { Options } from './options.ts'

/** Bytes. */
const longestSecret = 4096

/**
 * The options of the captcha; none without a key.
 * @param absolute makes the path of a file absolute
 * @throws StartupError unless key and secret are given together, and the host is reached over TLS
 */
export function captchaOptions(
  sources: OptionSources,
  absolute: (given: OptionSource) => OptionSource,
): Pick<Options, 'captcha'> {
  const [key, secret] = [sources.one('captcha-key'), sources.one('captcha-secret-file')]
  const host = sources.one('captcha-host')
  if (key === undefined && secret === undefined && host === undefined) return {}
  if (key === undefined) throw new StartupError(`${(secret ?? host)?.from} needs --captcha-key: name the key of the site.`)
  if (secret === undefined) throw new StartupError(`${key.from} needs --captcha-secret-file: name the file with the secret.`)
  captchaKey(key)
  const file = absolute(secret)
  const text = secretIn(file)
  return {
    captcha: Object.freeze({
      host: host ? captchaHost(host) : 'https://www.google.com',
      key: key.value,
      secretFile: file.value,
      secret: () => text,
    }),
  }
}

/** The key of a site. @throws StartupError */
export function captchaKey({ value, from }: OptionSource): string {
  if (/^[\w.:-]{1,256}$/.test(value)) return value
  throw new StartupError(`${from} ${value} is not a key: it must be letters, digits and . _ : -`)
}

/** Over plain HTTP anybody on the way could answer: it is only for a stand-in on this machine. */
export function captchaHost({ value, from }: OptionSource): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const isBare = url !== undefined && url.origin === value.replace(/\/$/, '')
  if (isBare && (url.protocol === 'https:' || isLocal)) return url.origin
  throw new StartupError(`${from} ${value} is not a host of captchas: it must be one such as https://www.recaptcha.net`)
}

function secretIn({ value, from }: OptionSource): string {
  try {
    const text = readFileSync(value, 'utf8').trim()
    if (text !== '' && Buffer.byteLength(text) <= longestSecret) return text
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StartupError(`${from} ${value} cannot be read (${reason}): name a file that holds the secret.`, { cause })
  }
  throw new StartupError(`${from} ${value} holds no secret: it must hold the secret of the site alone.`)
}
