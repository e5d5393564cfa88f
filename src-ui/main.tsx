import './styles/tokens.css'
import './styles/base.css'
import './styles/names.css'
import './styles/buttons.css'
import './styles/fields.css'
import './styles/shell.css'
import './styles/sidebar.css'
import './styles/path-bar.css'
import './styles/listing.css'
import './styles/listing-narrow.css'
import './styles/mosaic.css'
import './styles/hands.css'
import './styles/uploads.css'
import './styles/doors.css'
import './styles/drag.css'
import './styles/menus.css'
import './styles/palette.css'
import './styles/dialogs.css'
import './styles/prompts.css'
import './styles/toasts.css'
import './styles/forced-colors.css'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { pageConfig } from './api/page-config.ts'
import { App } from './app.tsx'
import { listenToKeys } from './commands/keyboard.ts'
import { followLanguage } from './state/language.ts'
import { followHistory, followLinks } from './state/location.ts'
import { followDecisions, followNavigation } from './state/page.ts'
import { themeOf } from './state/preferences.ts'
import { followOtherTabs, startSession } from './state/session.ts'

await start()

async function start(): Promise<void> {
  const theme = themeOf(pageConfig.Theme)
  if (theme) document.documentElement.dataset.theme = theme
  // Both ask the server, and neither waits for the other.
  const session = startSession()
  await followLanguage(document)
  await session
  followHistory()
  followDecisions(document)
  followNavigation(document)
  followLinks(document)
  followOtherTabs(window, () => location.reload())
  listenToKeys(window)
  show()
}

function show(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no element with the id root')
  // At once, so that the start-up picture gives way to the page and not to nothing.
  flushSync(() => createRoot(root).render(<App />))
  document.getElementById('startup')?.remove()
}
