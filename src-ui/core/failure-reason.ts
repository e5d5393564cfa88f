// Texts that explain failures to the user.
import { HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { type Key, t } from '../i18n/t.ts'

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

const uploadReasons: Record<number, Key> = {
  0: 'uploads.cause.unreachable',
  403: 'uploads.cause.forbidden',
  404: 'uploads.cause.notFound',
  409: 'uploads.cause.conflict',
  413: 'uploads.cause.tooLarge',
  429: 'uploads.cause.busy',
  503: 'uploads.cause.busy',
  507: 'uploads.cause.full',
}

/** Why an operation on files failed. A status without a text of its own is explained by the server's message. */
export function failureReason(failure: unknown): string {
  if (!(failure instanceof HttpFailure)) return t('cause.other', { said: String(failure) })
  if (isSystemRefusal(failure)) return t('cause.system')
  const known = reasons[failure.status]
  return known ? t(known) : t('cause.other', { said: serverReason(failure) })
}

/** Why an upload failed. */
export function uploadFailureReason(failure: { status: number; message: string }): string {
  if (isSystemRefusal(failure)) return t('uploads.cause.system')
  const known = uploadReasons[failure.status]
  return known ? t(known) : t('uploads.cause.other', { said: serverReason(failure) })
}

/** Why a sign-in failed. */
export function loginFailureReason(failure: unknown): string {
  if (!(failure instanceof HttpFailure))
    return t('login.failed', { cause: failure instanceof Error ? failure.message : String(failure) })
  if (failure.status === 403) return t(pageConfig.LoginPage ? 'login.wrong' : 'login.refused')
  if (failure.status === 429 && failure.retryAfter) return t('login.tooMany', { count: failure.retryAfter })
  if (failure.status === 0) return t('login.unreachable')
  const cause = givenReason(failure.message)
  if (failure.status === 503 && !cause?.includes('captcha')) return t('login.busy')
  return t('login.failed', { cause: cause ?? failure.message })
}

/** The session has ended and the person did not sign in again when asked: they know why nothing was done. */
export const isSignedOut = (failure: unknown): boolean => failure instanceof HttpFailure && failure.status === 401

/** The reason in a sentence of the server, if it has one: `409 Conflict (the reason)`. */
export const givenReason = (message: string): string | undefined => /\((?<cause>.+)\)\s*$/s.exec(message)?.groups?.cause

const serverReason = ({ status, message }: { status: number; message: string }): string =>
  (givenReason(message) ?? message) || String(status)

/** Whether the operating system denied the server access, rather than a rule or permission denying it to the user. */
export const isSystemRefusal = ({ status, message }: { status: number; message: string }): boolean =>
  status === 403 && systemReasons.has(givenReason(message) ?? '')

// The reasons in src-server/disk/errno.ts for EACCES, EPERM and EROFS.
const systemReasons = new Set(['the system does not allow it', 'the file system is read-only'])
