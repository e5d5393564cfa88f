import type { ReactNode } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { address } from './location.ts'

type Props = {
  /** The class of the part, for the message shown in its place. */
  className: string
  children: ReactNode
}

/** When a part of the layout throws, shows a message with a retry button in its place; the rest of the page keeps working. */
export const PartBoundary = view(function PartBoundary({ className, children }: Props) {
  const fallback = (_error: unknown, retry: () => void) => (
    <div className={`${className} part-failed`} role="alert">
      <span>{t('app.partFailed')}</span>
      <Button small label={t('action.retry')} onClick={retry} />
    </div>
  )
  return (
    <ErrorBoundary resetKey={address.value.pathname} fallback={fallback}>
      {children}
    </ErrorBoundary>
  )
})
