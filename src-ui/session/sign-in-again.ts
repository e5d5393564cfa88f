import { pageConfig } from '../api/page-config.ts'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice, type Prompt } from '../core/overlay.ts'
import { locked, login } from '../core/session.ts'
import type { Workspace } from '../core/workspace.ts'

/** Opens one password prompt when the session has ended and the page must not be left. */
export function askForPassword(workspace: Workspace): void {
  const overlays = workspace.use(overlaysSlice)
  let prompt: Prompt | undefined
  workspace.effect(() => {
    if (locked.value) prompt ??= overlays.ask({ kind: 'password' })
    else {
      prompt?.withdraw()
      prompt = undefined
      overlays.close('password')
    }
  })
}

/** Starts a new session of the same user. @throws HttpFailure as `login` does */
export async function signInAgain(workspace: Workspace, name: string, password: string): Promise<void> {
  const entryView = workspace.use(entryViewSlice)
  // Without a login page the server identifies the person itself.
  await (pageConfig.LoginPage ? login(name, password) : login('', ''))
  workspace.use(overlaysSlice).close('password')
  // A folder that was asked for meanwhile was refused.
  if (entryView.state.value.kind === 'failed') void entryView.refresh()
}
