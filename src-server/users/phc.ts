/** The parts of an argon2id hash. */
export type Argon2Hash = Readonly<{
  /** KiB. */
  memory: number
  passes: number
  lanes: number
  salt: Buffer
  tag: Buffer
}>

const pattern = /^\$argon2id\$v=19\$([mtp=0-9,]{1,40})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Formats a PHC string as the reference implementation of RFC 9106 does: base64 without padding, version 19. */
export function formatHash({ memory, passes, lanes, salt, tag }: Argon2Hash): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${lanes}$${unpadded(salt)}$${unpadded(tag)}`
}

/** KiB times passes that may be computed: some seconds. The server itself makes hashes of a twentieth. */
const mostWork = 2 ** 22

/**
 * Parses a PHC string. The three numbers may be in any order: libraries differ.
 * @returns undefined for anything that is not an argon2id hash of version 19, and for one that would take too long to verify
 */
export function parseHash(text: string): Argon2Hash | undefined {
  const [, numbers = '', salt = '', tag = ''] = pattern.exec(text) ?? []
  const [memory, passes, lanes] = ['m', 't', 'p'].map((name) => numberOf(name, numbers))
  if (memory === undefined || passes === undefined || lanes === undefined) return undefined
  if (memory * passes > mostWork) return undefined
  return { memory, passes, lanes, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

function numberOf(name: string, numbers: string): number | undefined {
  const digits = new RegExp(`(?:^|,)${name}=(\\d{1,8})(?:,|$)`).exec(numbers)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

function unpadded(bytes: Buffer) {
  return bytes.toString('base64').replaceAll('=', '')
}
