import { useState } from 'react'
import type { Opened } from '../core/overlay.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatSize } from '../i18n/format.ts'
import { isolate, t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { visibleName } from '../ui/file-names.ts'
import { view } from '../ui/view.tsx'
import { downloadArchive, type Packed, shownName, usualFormat } from './download.ts'
import { FormatChoice } from './format-choice.tsx'

/** Asks for the format of an archive. That of the last download is chosen and has the focus. */
export const DownloadPrompt = view(function DownloadPrompt({ onClose, ...packed }: Opened<'download'>) {
  const workspace = useWorkspace()
  const [format, setFormat] = useState(usualFormat)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    const begun = await downloadArchive(workspace, packed, format)
    setBusy(false)
    if (begun) onClose()
  }
  return (
    <Dialog
      title={titleOf(packed)}
      onClose={onClose}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button kind="quiet" label={t('action.cancel')} onClick={onClose} />
          <Button kind="primary" icon="download" label={t('command.download')} busy={isBusy} submit />
        </>
      }
    >
      <FormatChoice format={format} onChoose={setFormat} hasFocus />
      <p className="field-hint">{hintOf(packed)}</p>
    </Dialog>
  )
})

function titleOf(packed: Packed): string {
  if (packed.items.length > 1) return t('prompts.download.title', { count: packed.items.length })
  return t('prompts.download.titleNamed', { name: isolate(visibleName(shownName(packed))) })
}

/** With the size when it is known: that of folders is not. */
function hintOf({ items }: Packed): string {
  const isKnown = items.length > 0 && items.every(({ isDir }) => !isDir)
  if (!isKnown) return t('prompts.download.hint')
  const size = formatSize(items.reduce((sum, item) => sum + item.size, 0))
  return t('prompts.download.hintSized', { size })
}
