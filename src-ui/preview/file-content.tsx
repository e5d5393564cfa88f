import type { FC } from 'react'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { AudioViewer } from './audio-viewer.tsx'
import type { ShownFile } from './content-address.ts'
import { FileCard } from './file-card.tsx'
import { type Kind, kindOf } from './kinds.ts'
import { PdfViewer } from './pdf-viewer.tsx'
import { PictureViewer } from './picture-viewer.tsx'
import { VideoViewer } from './video-viewer.tsx'

// A file that was changed meanwhile is loaded again.
const identityOf = ({ path, modified, size }: ShownFile) => `${path}\0${modified}\0${size}`

type Viewer = {
  View: FC<{ file: ShownFile }>
  /** It has the whole stage, without room for the buttons to the neighbours. */
  isFull?: true
  /** The controls fade while nothing moves. */
  fades?: true
}

/** What shows each kind of file. */
export const viewers: Readonly<Record<Kind, Viewer>> = {
  picture: { View: PictureViewer, fades: true },
  video: { View: VideoViewer, fades: true },
  audio: { View: AudioViewer },
  pdf: { View: PdfViewer, isFull: true },
  card: { View: FileCard },
}

/** What is shown of a file, by its kind. */
export const FileContent = view(function FileContent({ file }: { file: ShownFile }) {
  const workspace = useWorkspace()
  const kind = kindOf(file)
  const { View } = viewers[kind]
  if (!workspace.may('download')) return <FileCard file={file} reason={kind === 'card' ? undefined : t('preview.forbidden')} />
  return <View key={identityOf(file)} file={file} />
})
