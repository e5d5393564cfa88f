import type { Resource } from '../../src-server/contract/files.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { formatDate, formatExactDate, formatExactSize, formatSize } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { downloadFile } from '../operations/download.ts'
import { Button } from '../ui/button.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { FileName } from '../ui/name.tsx'
import { view } from '../ui/view.tsx'

/** The page of one file: its details and a download button. */
export const FileCard = view(function FileCard({ path, file }: { path: string; file: Resource }) {
  const workspace = useWorkspace()
  const mayDownload = workspace.user.value?.perm.download ?? false
  return (
    <div className="pane">
      <div className="empty">
        <div className="empty-inner file-card">
          <FileIcon type={file.type} isDir={false} name={file.name} large />
          <h1 className="empty-title">
            <FileName name={file.name} title={file.name} />
          </h1>
          <p className="muted numbers">
            <span title={formatExactSize(file.size)}>{formatSize(file.size)}</span>
            {' · '}
            <span title={formatExactDate(file.modified)}>{formatDate(file.modified)}</span>
          </p>
          {mayDownload && <p className="muted">{t('listing.fileText')}</p>}
          <div className="empty-actions">
            {mayDownload && (
              <Button
                kind="primary"
                icon="download"
                label={t('command.download')}
                onClick={() => void downloadFile(workspace, { path, name: file.name })}
              />
            )}
          </div>
        </div>
      </div>
    </div>
  )
})
