import './styles/tokens.css'
import './styles/measures.css'
import './styles/base.css'
import './ui/names.css'
import './ui/buttons.css'
import './ui/fields.css'
import './core/brand.css'
import './chrome/layout.css'
import './chrome/searchbox.css'
import './chrome/sidebar.css'
import './listing/path-bar.css'
import './listing/listing.css'
import './listing/listing-narrow.css'
import './listing/mosaic.css'
import './listing/touch.css'
import './listing/entry-states.css'
import './ui/empty.css'
import './listing/drag.css'
import './chrome/toasts.css'
import './styles/forced-colors.css'
import 'holdall:icons/first'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { pageConfig } from './api/page-config.ts'
import { App } from './app.tsx'
import { commandTableSlice } from './core/command.ts'
import { persistScrollStates } from './core/history.ts'
import { listenToKeys } from './core/keyboard.ts'
import { followLanguage } from './core/language.ts'
import { leaveGuardsSlice } from './core/leave-guards.ts'
import { followHistory, followLinks } from './core/location.ts'
import { followNavigation, followOverlays, followRedirects, followStyle, followTitle } from './core/page.ts'
import { themeOf } from './core/preferences.ts'
import { followPresence } from './core/presence.ts'
import { run } from './core/run.ts'
import { followOtherTabs, startSession, user } from './core/session.ts'
import type { Workspace } from './core/workspace.ts'
import { followUser } from './create-workspace.ts'
import { loadOverlays } from './lazy-overlays.ts'
import { LazyLogin } from './session/lazy-login.tsx'
import { followDrops } from './uploads/follow-drops.ts'
import { followPastes } from './uploads/follow-pastes.ts'

await start()

async function start(): Promise<void> {
  const theme = themeOf(pageConfig.Theme)
  if (theme) document.documentElement.dataset.theme = theme
  // Two requests, sent at the same time.
  const session = startSession()
  await followLanguage(document, window)
  await session
  // The startup picture stays until then. A failure is shown in the place of the screen.
  if (!user.peek()) await LazyLogin.part.load().catch(() => undefined)
  followHistory()
  followRedirects()
  followStyle(document.getElementById('branding-style') as HTMLLinkElement | null)
  followOtherTabs(window, () => location.reload())
  const current = followUser(user, startWorkspace)
  followLinks(document, (id) => void run(current.peek(), current.peek().use(commandTableSlice).get(id)))
  show(<App current={current} />)
}

function startWorkspace(workspace: Workspace): void {
  followTitle(workspace, document)
  followNavigation(workspace, document, document.getElementById('startup') !== null)
  followOverlays(workspace)
  followPresence(workspace, window, document)
  persistScrollStates(workspace, window)
  listenToKeys(workspace, window)
  workspace.onDispose(followDrops(workspace, window))
  workspace.onDispose(followPastes(workspace, window))
  loadOverlays(workspace)
  workspace.use(leaveGuardsSlice).follow(workspace, window)
}

function show(page: ReactNode): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no element with the id root')
  // Rendered synchronously, so that the page is not empty when the startup element is removed.
  flushSync(() => createRoot(root).render(page))
  document.getElementById('startup')?.remove()
}
