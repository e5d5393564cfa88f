import { type Key, t } from '../i18n/t.ts'
import type { UploadFailure } from './upload-job.ts'

const causes: Record<number, Key> = {
  0: 'uploads.cause.unreachable',
  403: 'uploads.cause.forbidden',
  404: 'uploads.cause.notFound',
  409: 'uploads.cause.conflict',
  413: 'uploads.cause.tooLarge',
  429: 'uploads.cause.busy',
  503: 'uploads.cause.busy',
  507: 'uploads.cause.full',
}

/** Why an upload failed, in a sentence. What the server says beside the status is told where we have no better words. */
export function uploadFailureReason({ status, message }: UploadFailure): string {
  const known = causes[status]
  if (known) return t(known)
  const said = /\((?<cause>.+)\)\s*$/s.exec(message)?.groups?.cause ?? message
  return t('uploads.cause.other', { said: said || String(status) })
}
