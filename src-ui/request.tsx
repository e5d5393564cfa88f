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
import './share-page/share-page.css'
import './request-page/request-page.css'
import './styles/forced-colors-later.css'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs'
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { decodePath } from './api/addresses.ts'
import { baseURL, pageConfig } from './api/page-config.ts'
import { followLanguage } from './core/language.ts'
import { themeOf } from './core/preferences.ts'
import { RequestModel } from './request-page/request-model.ts'
import { RequestPage } from './request-page/request-page.tsx'
import { readRequest } from './request-page/request-state.ts'
import { addIcons } from './ui/icon.tsx'

await start()

/** The page of a link that takes files in, which needs no account. */
async function start(): Promise<void> {
  addIcons({
    ...{ check: IconCheck, 'circle-check': IconCircleCheck, folder: IconFolder, inbox: IconInbox },
    ...{ plus: IconPlus, refresh: IconRefresh, x: IconX },
  })
  const theme = themeOf(pageConfig.Theme)
  if (theme) document.documentElement.dataset.theme = theme
  const hash = decodePath(location.pathname.slice(`${baseURL}/request/`.length).split('/')[0] ?? '')
  const [first] = await Promise.all([readRequest(hash), followLanguage(document, window)])
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no element with the id root')
  const model = new RequestModel(hash, first)
  flushSync(() => createRoot(root).render(<RequestPage model={model} />))
  document.getElementById('startup')?.remove()
}
