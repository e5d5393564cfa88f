import { useState } from 'react'
import { copyText } from '../api/copy-text.ts'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'

type Props = {
  text: string
  label: string
  /** What is said afterwards. */
  copied: string
  failed: string
}

/** Copies a text beside it, and shows that it did. */
export const CopyButton = view(function CopyButton({ text, label, copied, failed }: Props) {
  const notices = useSlice(noticesSlice)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await copyText(text)
      setCopied(true)
      notices.announce(copied)
    } catch (failure) {
      notices.fail(failed, failureReason(failure))
    }
  }
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      small
      smallIcon
      label={isCopied ? copied : label}
      onClick={() => void copy()}
    />
  )
})
