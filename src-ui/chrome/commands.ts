import { pageConfig } from '../api/page-config.ts'
import type { Command } from '../core/command.ts'
import { go } from '../core/location.ts'
import { close, open, overlay } from '../core/overlay.ts'
import { showSidebar, sidebarShown } from '../core/preferences.ts'
import { logout, user } from '../core/session.ts'
import { answerConflicts, conflicts, mayShowPanel, showPanel } from '../uploads/uploads.ts'
import { stepRegion } from './regions.ts'

/** Where the sidebar is a drawer instead of a column. */
export const drawerWidth = '(max-width: 900px)'

const signedIn = () => user.value !== null

/** What can be done on every screen. */
export const appCommands: readonly Command[] = [
  {
    id: 'overlay.close',
    label: 'command.closeOverlay',
    keys: ['Escape'],
    scope: 'overlay',
    keyOnly: true,
    run: closeOverlay,
  },
  {
    id: 'palette.close',
    label: 'command.palette',
    keys: ['Mod+K'],
    scope: 'overlay',
    keyOnly: true,
    allowed: () => overlay.value.kind === 'palette',
    run: () => close('palette'),
  },
  {
    id: 'palette',
    label: 'command.palette',
    icon: 'command',
    keys: ['Mod+K'],
    scope: 'everywhere',
    keyOnly: true,
    allowed: signedIn,
    run: () => open({ kind: 'palette' }),
  },
  {
    id: 'region.next',
    label: 'command.nextRegion',
    keys: ['F6'],
    scope: 'everywhere',
    keyOnly: true,
    run: () => stepRegion(1),
  },
  {
    id: 'region.previous',
    label: 'command.previousRegion',
    keys: ['Shift+F6'],
    scope: 'everywhere',
    keyOnly: true,
    run: () => stepRegion(-1),
  },
  {
    id: 'help',
    label: 'command.help',
    icon: 'help-circle',
    keys: ['F1', '?'],
    scope: 'everywhere',
    places: ['more'],
    group: 'help',
    allowed: signedIn,
    run: () => open({ kind: 'help' }),
  },
  {
    id: 'uploads.show',
    label: 'uploads.show',
    icon: 'upload',
    scope: 'everywhere',
    places: ['more'],
    group: 'upload',
    allowed: mayShowPanel,
    run: showPanel,
  },
  {
    id: 'sidebar.toggle',
    label: 'command.toggleSidebar',
    icon: 'layout-sidebar',
    scope: 'everywhere',
    places: ['header'],
    run: toggleSidebar,
  },
  {
    id: 'go.home',
    label: 'command.goHome',
    icon: 'folder',
    scope: 'everywhere',
    allowed: signedIn,
    run: () => go('/files/'),
  },
  {
    id: 'session.logout',
    label: 'command.logout',
    icon: 'logout',
    scope: 'everywhere',
    places: ['sidebar'],
    group: 'session',
    allowed: () => signedIn() && pageConfig.AuthMethod === 'json',
    run: leave,
  },
  {
    id: 'session.login',
    label: 'command.login',
    icon: 'login',
    scope: 'everywhere',
    places: ['sidebar'],
    group: 'session',
    allowed: () => !signedIn() && pageConfig.LoginPage,
    run: () => go('/login'),
  },
]

// Uploads that ask are answered: a question that is merely closed would come back.
function closeOverlay(): void {
  if (overlay.value.kind === 'replace') answerConflicts(conflicts.value, 'skip', { forAll: true })
  else close()
}

function toggleSidebar(): void {
  if (!matchMedia(drawerWidth).matches) showSidebar(!sidebarShown.value)
  else if (overlay.value.kind === 'sidebar') close()
  else open({ kind: 'sidebar' })
}

// To the login screen first: a page that needs a person would send there too, but with a redirect back to itself.
async function leave(): Promise<void> {
  await logout(() => go('/login'))
}
