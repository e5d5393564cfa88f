// Texts that explain failures to the user.
import type { Refusal } from '../../src-server/contract/refusals.ts'
import { HttpFailure, type Refused } from '../api/http.ts'
import { type Key, t, textOf } from '../i18n/t.ts'

/** Status 0 means that the server was not reached. */
const reasons: Record<number, Key> = {
  0: 'cause.unreachable',
  401: 'cause.signedOut',
  403: 'cause.forbidden',
  404: 'cause.notFound',
  409: 'cause.conflict',
  429: 'cause.busy',
  503: 'cause.busy',
  507: 'cause.full',
}

/** Why an operation on files failed. A status without a text of its own is explained by the server's message. */
export function failureReason(failure: unknown): string {
  if (!(failure instanceof HttpFailure)) return t('cause.other', { said: String(failure) })
  if (isSystemRefusal(failure)) return t('cause.system')
  const own = refusalText(failure.refusal)
  if (own !== undefined) return own
  const known = reasons[failure.status]
  return known ? t(known) : t('cause.other', { said: serverReason(failure) })
}

/** The session has ended and the person did not sign in again when asked: they know why nothing was done. */
export const isSignedOut = (failure: unknown): boolean => failure instanceof HttpFailure && failure.status === 401

/** The server was not reached, or its answer was lost. */
export const isUnreached = (failure: unknown): boolean => failure instanceof HttpFailure && failure.status === 0

/** Without an answer, and what a proxy says of a server that gave none. */
const lostStatuses: readonly number[] = [0, 502, 504]

/** The server may have done it: its answer, if there was one, is lost. */
export const isAnswerLost = (failure: unknown): boolean => failure instanceof HttpFailure && lostStatuses.includes(failure.status)

/** What somebody else has deleted is gone as well. */
export function unlessGone(failure: unknown): void {
  if (!(failure instanceof HttpFailure) || failure.status !== 404) throw failure
}

/** What the server said, in short. */
export const serverReason = ({ status, message, reason }: Refused): string => (reason ?? message) || String(status)

/** The page's own words for a refusal; undefined when there are none, or when they are not loaded yet. */
export function refusalText(refusal: Refusal | undefined): string | undefined {
  if (!refusal) return undefined
  // What a command of the server wrote is for the person.
  const { code, params } = refusal
  return params.said ? t('cause.other', params) : textOf(`refusal.${code}`, params)
}

/** Why something was refused, in the page's words or else in the server's. */
export const saidBy = ({ refusal, reason, message }: Omit<Refused, 'status'>): string =>
  refusalText(refusal) ?? t('cause.other', { said: reason ?? message })

/** Whether the operating system denied the server access, rather than a rule or permission denying it to the user. */
export const isSystemRefusal = ({ refusal }: Pick<Refused, 'refusal'>): boolean =>
  refusal?.code === 'systemRefuses' || refusal?.code === 'readOnlyFileSystem'
