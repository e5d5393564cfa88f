import type { ReactNode } from 'react'
import { commandTableSlice, isReady } from '../core/command.ts'
import { run } from '../core/run.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatDate, formatExactDate } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { Button } from '../ui/button.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { view } from '../ui/view.tsx'
import type { ShownFile } from './content-address.ts'
import { isLargeText } from './kinds.ts'

type Props = {
  file: ShownFile
  /** Why it is not shown; that there is no preview of this kind, or of this size, when undefined. */
  reason?: string | undefined
  /** Another button. */
  children?: ReactNode
}

/** A file that is not shown: why, and what can be done with it. */
export const FileCard = view(function FileCard({ file, reason, children }: Props) {
  const workspace = useWorkspace()
  const commands = workspace.use(commandTableSlice)
  const button = (id: 'download' | 'info' | 'editor.openAsText') => {
    const command = commands.get(id)
    // They are about what is selected in a listing.
    if (file.trashed || !isReady(workspace, command)) return null
    const kind = id === 'download' ? 'primary' : 'plain'
    return <Button kind={kind} icon={command.icon} label={t(command.label)} onClick={() => void run(workspace, command)} />
  }
  return (
    <div className="viewer-card">
      <FileIcon of={file} large />
      <strong>{reason ?? t(isLargeText(file) ? 'preview.tooLarge' : 'preview.none')}</strong>
      <p className="muted">
        {workspace.may('download') ? t('listing.fileText') : t('preview.noDownload')}
        <br />
        <DateOf file={file} />
      </p>
      <div className="empty-actions">
        {button('download')}
        {children}
        {button('editor.openAsText')}
        {button('info')}
      </div>
    </div>
  )
})

/** When it was modified, or of a file of the trash when it was deleted. */
const DateOf = view(function DateOf({ file: { modified, deletedAt } }: { file: ShownFile }) {
  const at = deletedAt ?? modified
  return (
    <span title={formatExactDate(at)}>
      {t(deletedAt === undefined ? 'preview.modified' : 'trash.deletedOn', { date: formatDate(at) })}
    </span>
  )
})
