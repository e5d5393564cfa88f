import type { TokenUser } from '../../src-server/contract/users.ts'

/**
 * The user object that a token carries, for display alone: the server believes only its signature and its session.
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

/** How long a token lasts from the moment it was made, in seconds; undefined when it does not say. */
export function lifetimeOf(token: string): number | undefined {
  const { iat, exp } = claimsOf(token) as { iat?: unknown; exp?: unknown }
  return typeof iat === 'number' && typeof exp === 'number' ? exp - iat : undefined
}

// atob gives bytes as characters: a name beyond ASCII has to be read as UTF-8.
function decode(base64url: string): string {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
}
