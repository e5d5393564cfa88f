// Shows administrators once what an import from File Browser has brought, and what to look at.
import type { Reply } from '../../src-server/contract/endpoints.ts'
import { call } from '../api/http.ts'
import { overlaysSlice } from '../core/overlay.ts'
import type { Workspace } from '../core/workspace.ts'

export type ImportNotices = Reply<'GET /api/imports'>['notices']

declare module '../core/overlay.ts' {
  interface OverlayKinds {
    /** What imports have brought. `takeNote`: it is not shown again. */
    imported: { notices: ImportNotices; takeNote: () => void }
  }
}

/** Asks what there is to show, and shows it when nothing else is open. */
export async function askImported(workspace: Workspace): Promise<void> {
  const { signal } = workspace
  const answer = await call('GET /api/imports', { signal, isBackground: true }).catch(() => undefined)
  if (answer === undefined || answer.notices.length === 0 || signal.aborted) return
  const takeNote = () => void takeNoteOf(workspace)
  workspace.use(overlaysSlice).ask({ kind: 'imported', notices: answer.notices, takeNote })
}

/** For all administrators. When it fails they are told again with their next page. */
async function takeNoteOf({ signal }: Workspace): Promise<void> {
  await call('DELETE /api/imports', { signal }).catch(() => {})
}
