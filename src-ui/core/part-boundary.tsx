import type { ReactNode } from 'react'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { view } from '../ui/view.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { address } from './location.ts'

type Props = {
  /** The class of the part, whose place the report takes. */
  className: string
  children: ReactNode
}

/** A part of the frame that fails says so in its place and can be tried again; the rest of the page goes on. */
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
