import { useState } from 'react'
import type { Opened } from '../core/overlay.ts'
import { useSlice } from '../core/use-workspace.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { view } from '../ui/view.tsx'
import { editorSlice, type OpenedText } from './editor.ts'

/** Asks before unsaved text is left. *Save* has the focus. */
export const LeavePrompt = view(function LeavePrompt({ leave, onClose }: Opened<'leaveEditor'>) {
  const document = useSlice(editorSlice).opened.value
  return document ? <OpenPrompt document={document} leave={leave} onClose={onClose} /> : null
})

type Props = { document: OpenedText; leave: () => void; onClose: () => void }

const OpenPrompt = view(function OpenPrompt({ document, leave, onClose }: Props) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    const isSaved = await document.save()
    onClose()
    if (isSaved && !document.isDirty.peek()) leave()
  }
  const discard = async () => {
    await document.discard()
    onClose()
    leave()
  }
  return (
    <Dialog
      title={t('editor.leave.title', { name: isolate(document.name) })}
      description={t('editor.leave.text')}
      onClose={onClose}
      foot={
        <>
          <Button className="button-danger-quiet" kind="quiet" label={t('editor.leave.discard')} onClick={() => void discard()} />
          <span className="grow" />
          <Button kind="quiet" label={t('action.cancel')} onClick={onClose} />
          <Button data-first-focus kind="primary" busy={isBusy} label={t('editor.save')} onClick={() => void save()} />
        </>
      }
    />
  )
})
