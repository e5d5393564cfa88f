// Menus, dialogs, the transfers panel, the palette, the help and live updates: one lazy part, loaded after the first page.
import './ui/more-icons.ts'
import './i18n/more-words.ts'
import { Direction } from 'radix-ui'
import type { FC } from 'react'
import { ContextMenu as AnyContextMenu } from './chrome/context-menu.tsx'
import { followVersion } from './core/renew-page.ts'
import type { Workspace } from './core/workspace.ts'
import { LeavePrompt } from './editor/leave-prompt.tsx'
import { locale } from './i18n/locale.ts'
import { followLive } from './listing/live-folder.ts'
import { keepClipboard } from './operations/keep-clipboard.ts'
import { Prompts } from './operations/prompts.tsx'
import { Help } from './palette/help.tsx'
import { Palette } from './palette/palette.tsx'
import { QuickLookHost } from './preview/quick-look-host.tsx'
import { Search } from './search/search-overlay.tsx'
import { ProofPrompt } from './session/proof-prompt.tsx'
import { SignInPrompt } from './session/sign-in-prompt.tsx'
import { LeaveFormPrompt } from './settings/leave-form-prompt.tsx'
import { ShareHost } from './shares/share-host.tsx'
import { ShellHost } from './shell/shell-host.tsx'
import { Menu as AnyMenu } from './ui/menu.tsx'
import { view } from './ui/view.tsx'
import { CancelPrompt } from './uploads/cancel-prompt.tsx'
import { UploadConflictPrompt } from './uploads/upload-conflict-prompt.tsx'
import { UploadsPanel } from './uploads/uploads-panel.tsx'
import { DeleteUserPrompt } from './users/delete-user-prompt.tsx'

export { UsageMeter } from './chrome/usage-meter.tsx'
export { menuGroups } from './core/menu-entries.ts'

/** What a workspace does from now on. */
export function follow(workspace: Workspace): void {
  followLive(workspace)
  keepClipboard(workspace, window)
  followVersion(workspace)
}

export const Menu = directed(AnyMenu)
export const ContextMenu = directed(AnyContextMenu)
export const Dialogs = directed(function Dialogs() {
  return (
    <>
      <Palette />
      <QuickLookHost />
      <Help />
      <Search />
      <Prompts />
      <UploadConflictPrompt />
      <CancelPrompt />
      <LeavePrompt />
      <LeaveFormPrompt />
      <DeleteUserPrompt />
      <ShareHost />
      <ProofPrompt />
      <SignInPrompt />
    </>
  )
})

/** What stands below the listing, or floats above its end. */
export function Panels() {
  return (
    <>
      <ShellHost />
      <UploadsPanel />
    </>
  )
}

/** Provides a component of Radix with the reading direction for arrow keys and positions. */
function directed<P extends object>(Component: FC<P>): FC<P> {
  return view(function Directed(props: P) {
    return (
      <Direction.Provider dir={locale.value.dir}>
        <Component {...props} />
      </Direction.Provider>
    )
  })
}
