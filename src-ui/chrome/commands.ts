import { pageConfig } from '../api/page-config.ts'
import type { Command } from '../core/command.ts'
import { knownTrashSlice } from '../core/known-trash.ts'
import { leaveGuardsSlice } from '../core/leave-guards.ts'
import { decision, go } from '../core/location.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { showSidebar, sidebarShown } from '../core/preferences.ts'
import { isSettings } from '../core/routes.ts'
import { logout } from '../core/session.ts'
import type { Workspace } from '../core/workspace.ts'

/** The media query for windows in which the sidebar is a drawer instead of a column. */
export const drawerWidth = '(max-width: 56.25em)'

const signedIn = (workspace: Workspace) => workspace.user.value !== null

/** The commands of every screen. */
export const appCommands: readonly Command[] = [
  {
    id: 'overlay.close',
    label: 'command.closeOverlay',
    keys: ['Escape'],
    scope: 'overlay',
    keyOnly: true,
    run: (workspace) => workspace.use(overlaysSlice).close(),
  },
  {
    id: 'palette.close',
    label: 'command.palette',
    keys: ['Mod+K'],
    scope: 'overlay',
    keyOnly: true,
    allowed: (workspace) => workspace.use(overlaysSlice).current.value.kind === 'palette',
    run: (workspace) => workspace.use(overlaysSlice).close('palette'),
  },
  {
    id: 'palette',
    label: 'command.palette',
    icon: 'command',
    keys: ['Mod+K'],
    scope: 'everywhere',
    keyOnly: true,
    allowed: signedIn,
    run: (workspace) => workspace.use(overlaysSlice).open({ kind: 'palette' }),
  },
  {
    id: 'region.next',
    label: 'command.nextRegion',
    keys: ['F6', 'Alt+Shift+ArrowDown'],
    scope: 'everywhere',
    keyOnly: true,
    run: () => stepRegion(1),
  },
  {
    id: 'region.previous',
    label: 'command.previousRegion',
    keys: ['Shift+F6', 'Alt+Shift+ArrowUp'],
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
    run: (workspace) => workspace.use(overlaysSlice).open({ kind: 'help' }),
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
    id: 'go.trash',
    label: 'title.trash',
    icon: 'trash',
    scope: 'everywhere',
    places: ['sidebar'],
    group: 'session',
    allowed: (workspace) => workspace.use(knownTrashSlice).isShown(),
    checked: () => 'show' in decision.value && decision.value.show === 'trash',
    run: () => go('/trash'),
  },
  {
    id: 'go.settings',
    label: 'settings.label',
    icon: 'settings',
    scope: 'everywhere',
    places: ['sidebar'],
    group: 'session',
    allowed: signedIn,
    checked: () => 'show' in decision.value && isSettings(decision.value.show),
    run: () => go('/settings/profile'),
  },
  {
    id: 'session.logout',
    label: 'command.logout',
    icon: 'logout',
    scope: 'everywhere',
    places: ['sidebar'],
    group: 'session',
    allowed: (workspace) => signedIn(workspace) && pageConfig.AuthMethod === 'json',
    run: leave,
  },
  {
    id: 'session.login',
    label: 'command.login',
    icon: 'login-2',
    scope: 'everywhere',
    places: ['sidebar'],
    group: 'session',
    allowed: (workspace) => !signedIn(workspace) && pageConfig.LoginPage,
    run: () => go('/login'),
  },
  {
    id: 'session.signUp',
    label: 'signUp.submit',
    icon: 'user-plus',
    scope: 'everywhere',
    places: ['sidebar'],
    group: 'session',
    allowed: (workspace) => !signedIn(workspace) && pageConfig.Signup,
    run: () => go('/login?signup'),
  },
]

function toggleSidebar(workspace: Workspace): void {
  const overlays = workspace.use(overlaysSlice)
  if (!matchMedia(drawerWidth).matches) showSidebar(!sidebarShown.value)
  else if (overlays.current.value.kind === 'sidebar') overlays.close()
  else overlays.open({ kind: 'sidebar' })
}

// The login screen is opened in the same step: a page that needs a sign-in would add a redirect back to itself.
async function leave(workspace: Workspace): Promise<void> {
  const signOut = () => logout(() => go('/login', { isForced: true }))
  if (workspace.use(leaveGuardsSlice).mayLeaveScreen(() => void signOut())) await signOut()
}

/** Moves the focus to the next or the previous region of the page: sidebar, list, shell, transfers. */
function stepRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isShown)
  const current = document.activeElement?.closest<HTMLElement>('[data-region]')
  const at = current ? regions.indexOf(current) : by > 0 ? -1 : 0
  const next = regions[(at + by + regions.length) % regions.length]
  if (next) targetIn(next).focus()
}

// The tab stop of a list, or what is marked with data-start, else the first focusable element, else the region itself.
function targetIn(region: HTMLElement): HTMLElement {
  const inside = [...region.querySelectorAll<HTMLElement>('[data-entry][tabindex="0"], [data-start], a[href], button, input')]
  const own = inside.filter((element) => element.closest('[data-region]') === region && isReachable(element))
  return own.find(({ dataset }) => (dataset.entry ?? dataset.start) !== undefined) ?? own[0] ?? region
}

const isReachable = (element: HTMLElement) => isShown(element) && element.tabIndex >= 0 && !element.matches(':disabled')
const isShown = (element: HTMLElement) => element.checkVisibility({ visibilityProperty: true })
