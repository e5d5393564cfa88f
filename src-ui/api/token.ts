import type { TokenUser } from '../../src-server/api/schemas/user.ts'

/**
 * The user object that a token carries, for display alone: the server believes only its signature and its session.
 * @throws Error('token malformed')
 */
export function userOf(token: string): TokenUser {
  const parts = token.split('.')
  if (parts.length !== 3) throw new Error('token malformed')
  try {
    const { user } = JSON.parse(decode(parts[1] ?? '')) as { user?: TokenUser }
    if (typeof user?.username === 'string' && user.perm) return user
  } catch (cause) {
    throw new Error('token malformed', { cause })
  }
  throw new Error('token malformed')
}

// atob gives bytes as characters: a name beyond ASCII has to be read as UTF-8.
function decode(base64url: string): string {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
}
