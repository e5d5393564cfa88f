import { fileViewSlice, isText } from '../core/file-view.ts'
import { useLazyPart } from '../core/use-lazy-part.tsx'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { editorSlice } from '../editor/editor.ts'
import { editorPart } from '../editor/lazy-editor.ts'
import { viewerPart } from '../preview/lazy-viewer.ts'
import { view } from '../ui/view.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'

/** The page of one file: a text opens in the editor, everything else in the preview. What shows it is loaded when it is first needed. */
export const FileScreen = view(function FileScreen() {
  const workspace = useWorkspace()
  const file = useSlice(fileViewSlice).file.value
  const editor = useSlice(editorSlice)
  const opened = editor.opened.value
  // Unsaved text stays, whatever has become of the file.
  if (opened?.isDirty.value) return <TextScreen key={opened.path} path={opened.path} />
  const isShownAsText = file && (isText(file) || editor.asText.value === file.path) && workspace.may('download')
  return isShownAsText ? <TextScreen key={file.path} path={file.path} /> : <ViewerScreen />
})

const TextScreen = view(function TextScreen({ path }: { path: string }) {
  const part = useLazyPart(editorPart)
  return part.loaded ? <part.loaded.EditorScreen path={path} breadcrumbs={<Breadcrumbs />} /> : part.placeholder
})

const ViewerScreen = view(function ViewerScreen() {
  const part = useLazyPart(viewerPart)
  return part.loaded ? <part.loaded.Viewer /> : part.placeholder
})
