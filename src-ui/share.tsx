import './styles/tokens.css'
import './styles/measures.css'
import './styles/base.css'
import './ui/names.css'
import './ui/buttons.css'
import './ui/fields.css'
import './core/brand.css'
import './ui/empty.css'
import './session/login.css'
import './ui/file-object.css'
import './ui/qr.css'
import './share-page/share-page.css'
import './styles/forced-colors-later.css'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { pageConfig } from './api/page-config.ts'
import { followLanguage } from './core/language.ts'
import { themeOf } from './core/preferences.ts'
import { placeOf } from './share-page/place.ts'
import { SharePage } from './share-page/share-page.tsx'
import { readShared } from './share-page/shared-state.ts'

await start()

/** The page of a public link, which needs no account. */
async function start(): Promise<void> {
  const theme = themeOf(pageConfig.Theme)
  if (theme) document.documentElement.dataset.theme = theme
  const place = placeOf(location.pathname)
  const [first] = await Promise.all([readShared(place), followLanguage(document, window)])
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no element with the id root')
  flushSync(() => createRoot(root).render(<SharePage place={place} first={first} />))
  document.getElementById('startup')?.remove()
}
