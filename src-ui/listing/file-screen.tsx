import editorStyle from 'holdall:part/editor/editor.css'
import viewerStyle from 'holdall:part/preview/viewer.css'
import { fileViewSlice, isText } from '../core/file-view.ts'
import { lazyScreen } from '../core/lazy.tsx'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { editorSlice } from '../editor/editor.ts'
import { view } from '../ui/view.tsx'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { useContentFocus } from './use-content-focus.ts'

// Documents that are read have the header of the preview.
const EditorScreen = lazyScreen(
  async () => (await import('../editor/editor-screen.tsx')).EditorScreen,
  [viewerStyle, editorStyle],
)
const Viewer = lazyScreen(async () => (await import('../preview/viewer-part.ts')).Viewer, [viewerStyle])

/** The page of one file: a text opens in the editor, everything else in the preview. What shows it is loaded when it is first needed. */
export const FileScreen = view(function FileScreen() {
  const workspace = useWorkspace()
  const file = useSlice(fileViewSlice).file.value
  const editor = useSlice(editorSlice)
  const opened = editor.opened.value
  useContentFocus('file')
  // Unsaved text stays, whatever has become of the file.
  if (opened?.isDirty.value) return <EditorScreen key={opened.path} path={opened.path} breadcrumbs={<Breadcrumbs />} />
  const isShownAsText = file && (isText(file) || editor.asText.value === file.path) && workspace.may('download')
  return isShownAsText ? <EditorScreen key={file.path} path={file.path} breadcrumbs={<Breadcrumbs />} /> : <Viewer />
})
