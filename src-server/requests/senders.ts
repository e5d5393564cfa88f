// Who sends something by a request link: whoever has the cookie that this server has signed. Nothing is stored of them before they begin to send a file.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { SigningKey } from '../state/state-data.ts'

/** Seconds for which a browser keeps the cookie. */
export const senderCookieLife = 30 * 24 * 3600

export class SenderCookies {
  readonly #keys: () => readonly SigningKey[]

  /** @param keys the present ones: the first one signs; all verify */
  constructor(keys: () => readonly SigningKey[]) {
    this.#keys = keys
  }

  /** The id in a cookie of a link; undefined for one that this server has not made for it. */
  idIn(hash: string, cookie = ''): string | undefined {
    const [, id] = /^([0-9a-f]{32})\.[\w-]{43}$/.exec(cookie) ?? []
    if (id === undefined) return undefined
    const given = Buffer.from(cookie)
    return this.#keys().some((key) => timingSafeEqual(given, Buffer.from(signed(key, hash, id)))) ? id : undefined
  }

  /** Somebody new. */
  make(hash: string): { id: string; cookie: string } {
    const [key] = this.#keys()
    if (!key) throw new Error('The state holds no signing key')
    const id = randomBytes(16).toString('hex')
    return { id, cookie: signed(key, hash, id) }
  }
}

function signed({ secret }: SigningKey, hash: string, id: string): string {
  const mac = createHmac('sha256', Buffer.from(secret, 'base64url')).update(`sender\0${hash}\0${id}`)
  return `${id}.${mac.digest('base64url')}`
}
