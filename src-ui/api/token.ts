import type { TokenUser } from '../../src-server/contract/users.ts'

/**
 * The user in the payload of a token. For display only: the server reads the user from its state.
 * @throws Error('token malformed')
 */
export function userOf(token: string): TokenUser {
  const { user } = claimsOf(token) as { user?: TokenUser }
  if (typeof user?.username === 'string' && user.perm) return user
  throw new Error('token malformed')
}

function claimsOf(token: string): object {
  const parts = token.split('.')
  if (parts.length !== 3) throw new Error('token malformed')
  try {
    return Object(JSON.parse(decode(parts[1] ?? '')))
  } catch (cause) {
    throw new Error('token malformed', { cause })
  }
}

/** Seconds from the creation of a token to its expiry; undefined when it lacks one of the times. */
export function lifetimeOf(token: string): number | undefined {
  const { iat, exp } = claimsOf(token) as { iat?: unknown; exp?: unknown }
  return typeof iat === 'number' && typeof exp === 'number' ? exp - iat : undefined
}

// atob returns one character per byte, which still have to be decoded as UTF-8.
function decode(base64url: string): string {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
}
