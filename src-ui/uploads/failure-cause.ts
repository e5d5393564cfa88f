// Texts that explain why an upload failed.
import type { Refused } from '../api/http.ts'
import { isSystemRefusal, refusalText, serverReason } from '../core/failure-reason.ts'
import { type Key, t } from '../i18n/t.ts'

/** In the place of a status: the file that was to be sent could not be read. */
export const unreadable = -1

const uploadReasons: Record<number, Key> = {
  [unreadable]: 'uploads.cause.unreadable',
  0: 'uploads.cause.unreachable',
  403: 'uploads.cause.forbidden',
  404: 'uploads.cause.notFound',
  409: 'uploads.cause.conflict',
  413: 'uploads.cause.tooLarge',
  429: 'uploads.cause.busy',
  460: 'uploads.cause.damaged',
  503: 'uploads.cause.busy',
  507: 'uploads.cause.full',
}

/** Why an upload failed. */
export function uploadFailureReason(failure: Refused): string {
  if (isSystemRefusal(failure)) return t('uploads.cause.system')
  const own = refusalText(failure.refusal)
  if (own !== undefined) return own
  const known = uploadReasons[failure.status]
  return known ? t(known) : t('uploads.cause.other', { said: serverReason(failure) })
}
