import { useEffect, useState } from 'react'
import { copyText } from '../api/copy-text.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { type Key, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'

/** How long a button shows that it has copied, in milliseconds. */
const shownCopied = 2000

/** Copies a text, says so, and shows it for two seconds. */
function useCopy(text: string, { copied, failed }: { copied: Key; failed: Key }) {
  const notices = useSlice(noticesSlice)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownCopied)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await copyText(text)
      setCopied(true)
      notices.succeed(t(copied))
    } catch (failure) {
      notices.fail(t(failed), failureReason(failure))
    }
  }
  return { isCopied, copy }
}

const ofLink = { copied: 'shares.copied', failed: 'shares.copyFailed' } as const
const ofPassword = { copied: 'shares.passwordCopied', failed: 'shares.passwordCopyFailed' } as const

/** Copies the address of a link. */
export const CopyLink = view(function CopyLink({ text, of }: { text: string; of?: string }) {
  const { isCopied, copy } = useCopy(text, ofLink)
  const label = of === undefined ? t('shares.copyLink') : t('shares.copyLinkOf', { name: of })
  return <IconButton icon={isCopied ? 'check' : 'copy'} small smallIcon label={label} onClick={() => void copy()} />
})

/** The same as a button with its name, and for a password. */
export const CopyNamed = view(function CopyNamed({ text, isPassword = false }: { text: string; isPassword?: boolean }) {
  const { isCopied, copy } = useCopy(text, isPassword ? ofPassword : ofLink)
  return (
    <Button
      kind={isPassword ? 'plain' : 'primary'}
      icon={isCopied ? 'check' : 'copy'}
      label={t(isPassword ? 'shares.copyPassword' : 'shares.copyLink')}
      {...(!isPassword && { 'data-first-focus': true })}
      onClick={() => void copy()}
    />
  )
})
