// The screen of a text: the editor in the layout, or a document that is read in the whole window. A lazy part.
import 'holdall:icons/later'
import 'holdall:words/later'
import { type ReactNode, useEffect } from 'react'
import { ErrorView } from '../core/error-view.tsx'
import { fileViewSlice } from '../core/file-view.ts'
import { screenScopesSlice } from '../core/keyboard.ts'
import { leaveGuardsSlice } from '../core/leave-guards.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { pageSlice } from '../core/page.ts'
import { restoredFileSlice } from '../core/restored-file.ts'
import { useSlice, useWorkspace } from '../core/use-workspace.ts'
import { view } from '../ui/view.tsx'
import { ConflictScreen } from './conflict-screen.tsx'
import { DocumentScreen } from './document-screen.tsx'
import { EditScreen } from './edit-screen.tsx'
import type { TextDocument } from './text-document.ts'
import { useDocument } from './use-document.ts'

type Props = { path: string; breadcrumbs: ReactNode }

/** Shows the text of a file. */
export const EditorScreen = view(function EditorScreen({ path, breadcrumbs }: Props) {
  const [opening, retry] = useDocument(path)
  useScope()
  if (opening.kind === 'loading') return <div className="pane" aria-busy="true" />
  if (opening.kind === 'open') return <OpenScreen document={opening.document} breadcrumbs={breadcrumbs} />
  if (opening.kind === 'none') return <DocumentScreen />
  const { status, message, reason, refusal } = opening.failure
  return (
    <div className="pane">
      <ErrorView
        status={status}
        code={status === 403 || status === 404 ? `/files${path}` : message}
        {...{ reason, refusal }}
        onRetry={retry}
      />
    </div>
  )
})

const OpenScreen = view(function OpenScreen({ document, breadcrumbs }: { document: TextDocument; breadcrumbs: ReactNode }) {
  useGuard(document)
  useUnsavedMark(document)
  useFresh(document)
  useRestored(document)
  const theirs = document.saveState.conflict.value
  if (theirs) return <ConflictScreen document={document} theirs={theirs} breadcrumbs={breadcrumbs} />
  if (document.mode.value === 'edit') return <EditScreen document={document} breadcrumbs={breadcrumbs} />
  return <DocumentScreen document={document} />
})

/** The keys of the editor count while a text is shown. */
function useScope(): void {
  const workspace = useWorkspace()
  useEffect(() => {
    const { ofScreen } = workspace.use(screenScopesSlice)
    const own = ['editor'] as const
    ofScreen.value = own
    return () => {
      // The screen of the next file may be shown before this one ends.
      if (ofScreen.peek() === own) ofScreen.value = undefined
    }
  }, [workspace])
}

/** Asks before unsaved text is left; the browser asks before the page is closed. */
function useGuard(document: TextDocument): void {
  const workspace = useWorkspace()
  useEffect(() => {
    const overlays = workspace.use(overlaysSlice)
    const store = () => void document.drafts.store()
    const remove = workspace.use(leaveGuardsSlice).add({
      isActive: document.isDirty,
      mustStay: () => document.isDirty.peek(),
      onLeaveScreen: (leave) => overlays.open({ kind: 'leaveEditor', leave }),
    })
    for (const event of ['beforeunload', 'pagehide', 'blur']) addEventListener(event, store)
    return () => {
      remove()
      for (const event of ['beforeunload', 'pagehide', 'blur']) removeEventListener(event, store)
    }
  }, [workspace, document])
}

function useUnsavedMark(document: TextDocument): void {
  const { isUnsaved } = useSlice(pageSlice)
  const isDirty = document.isDirty.value
  useEffect(() => {
    isUnsaved.value = isDirty
    return () => {
      isUnsaved.value = false
    }
  }, [isUnsaved, isDirty])
}

/** Reads the text again when the listing says that the file has changed. A text that is not saved stays until it is. */
function useFresh(document: TextDocument): void {
  const { file } = useSlice(fileViewSlice)
  const { modified, path } = file.value ?? {}
  const isOther = path === document.path && modified !== document.file.value.modified
  const isNeeded = isOther && !document.isDirty.value
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more when it has changed again
  useEffect(() => {
    if (!isNeeded) return
    const stopping = new AbortController()
    void document.refresh(stopping.signal)
    return () => stopping.abort()
  }, [document, isNeeded, modified])
}

/** Shows an earlier version that was restored beside a text that is not saved. */
function useRestored(document: TextDocument): void {
  const { value: restored } = useSlice(restoredFileSlice)
  useEffect(() => {
    if (restored?.path === document.path) void document.saveState.compare()
  }, [document, restored])
}
