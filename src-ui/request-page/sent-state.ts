// What is said of one file that is being sent, and what may be done with it.
import { HttpFailure } from '../api/request-link.ts'
import { failureReason } from '../core/failure-reason.ts'
import { formatPercent, formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { TooLarge } from './own-refusal.ts'
import type { RequestModel } from './request-model.ts'
import { busy, type SentFile, tooMuch } from './sent-files.ts'

/** Whether a file that failed can be sent again: of a link that takes nothing in any more it would wait for ever. */
export const mayTryAgain = (
  { phase, failure }: Pick<SentFile, 'phase' | 'failure'>,
  { open }: Pick<RequestModel, 'open'>,
): boolean => phase === 'failed' && open !== undefined && failure instanceof Error

export function stateOf({ phase, size, loaded, failure }: Pick<SentFile, 'phase' | 'size' | 'loaded' | 'failure'>): string {
  if (phase === 'failed' && failure instanceof TooLarge)
    return t('request.tooLarge', { size: formatSize(size), most: formatSize(failure.most) })
  if (phase === 'failed' && failure === 'kind') return t('refusal.kindRefused')
  if (phase === 'failed' && failure === 'folder') return t('refusal.foldersRefused')
  if (phase === 'failed' && failure === 'closed') return t('refusal.requestClosed')
  if (phase === 'failed') return failure instanceof HttpFailure ? failureReason(failure) : t('uploads.cause.unreadable')
  if (phase === 'away') return t(waitingKey(failure))
  if (phase === 'done') return formatSize(size)
  if (phase === 'waiting') return t('uploads.waitingSize', { size: formatSize(size) })
  if (loaded === size && size > 0) return t('uploads.finishing')
  const part = isolate(formatPercent(size > 0 ? loaded / size : 0))
  return t('uploads.progress', { percent: part, loaded: formatSize(loaded), total: formatSize(size) })
}

function waitingKey(failure: unknown) {
  const status = failure instanceof HttpFailure ? failure.status : 0
  if (status === tooMuch) return 'request.tooMuch'
  return busy.includes(status) ? 'request.serverBusy' : 'request.offline'
}
