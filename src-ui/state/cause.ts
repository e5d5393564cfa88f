import { HttpFailure } from '../api/http.ts'
import { type Key, t } from '../i18n/t.ts'

const causes: Record<number, Key> = {
  0: 'cause.unreachable',
  403: 'cause.forbidden',
  404: 'cause.notFound',
  409: 'cause.conflict',
  429: 'cause.busy',
  503: 'cause.busy',
  507: 'cause.full',
}

/** Why something was not done, in a sentence. What the server says beside the status is told where we have no better words. */
export function failureReason(failure: unknown): string {
  if (!(failure instanceof HttpFailure)) return t('cause.other', { said: String(failure) })
  const known = causes[failure.status]
  if (known) return t(known)
  const said = /\((?<cause>.+)\)\s*$/s.exec(failure.message)?.groups?.cause ?? failure.message
  return t('cause.other', { said: said || String(failure.status) })
}

/** The session's end is said by the login screen, and nothing else of it. */
export const isSignedOut = (failure: unknown): boolean => failure instanceof HttpFailure && failure.status === 401
