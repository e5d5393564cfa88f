import type { Entry } from '../core/entries.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { AudioViewer } from './audio-viewer.tsx'
import { FileCard } from './file-card.tsx'
import { kindOf } from './kinds.ts'
import { PdfViewer } from './pdf-viewer.tsx'
import { PictureViewer } from './picture-viewer.tsx'
import { VideoViewer } from './video-viewer.tsx'

// A file that was changed meanwhile is loaded again.
const identityOf = ({ path, modified, size }: Entry) => `${path}\0${modified}\0${size}`

/** What is shown of a file, by its kind. */
export const FileContent = view(function FileContent({ file }: { file: Entry }) {
  const workspace = useWorkspace()
  const kind = kindOf(file)
  if (!workspace.may('download')) return <FileCard file={file} reason={kind === 'card' ? undefined : t('preview.forbidden')} />
  if (kind === 'picture') return <PictureViewer key={identityOf(file)} file={file} />
  if (kind === 'video') return <VideoViewer key={identityOf(file)} file={file} />
  if (kind === 'audio') return <AudioViewer key={identityOf(file)} file={file} />
  if (kind === 'pdf') return <PdfViewer key={identityOf(file)} file={file} />
  return <FileCard file={file} />
})
