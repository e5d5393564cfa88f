import { HttpFailure } from '../api/http.ts'
import { pageConfig } from '../api/page-config.ts'
import { t } from '../i18n/t.ts'

/** Why a sign-in failed. */
export function loginFailureReason(failure: unknown): string {
  if (!(failure instanceof HttpFailure))
    return t('login.failed', { cause: failure instanceof Error ? failure.message : String(failure) })
  if (failure.status === 403 || failure.status === 401) return t(pageConfig.LoginPage ? 'login.wrong' : 'login.refused')
  if (failure.status === 429 && failure.retryAfter) return t('login.tooMany', { count: failure.retryAfter })
  if (failure.status === 0) return t('login.unreachable')
  if (failure.status === 503 && failure.refusal?.code !== 'captchaNotChecked') return t('login.busy')
  return t('login.failed', { cause: failure.reason ?? failure.message })
}
