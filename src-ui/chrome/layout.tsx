import { type ReactNode, useEffect } from 'react'
import { close, overlay } from '../core/overlay.ts'
import { sidebarShown } from '../core/preferences.ts'
import { t } from '../i18n/t.ts'
import { loadOverlays, overlays } from '../lazy-overlays.ts'
import { Scrim } from '../ui/scrim.tsx'
import { view } from '../ui/view.tsx'
import { UploadsPanel } from '../uploads/uploads-panel.tsx'
import { DragBadge } from './drag-badge.tsx'
import { Header, HeaderBrand } from './header.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { Sidebar } from './sidebar.tsx'
import { Toasts } from './toasts.tsx'

/** What every screen but the login stands in. */
export const Layout = view(function Layout({ children }: { children: ReactNode }) {
  useEffect(loadOverlays, [])
  const over = overlays.value
  const drawer = overlay.value.kind === 'sidebar'
  return (
    <>
      <a className="skip-link" href="#main" inert={drawer}>
        {t('app.skip')}
      </a>
      <div className="app" data-sidebar={sidebarShown.value ? undefined : 'closed'} data-drawer={drawer || undefined}>
        <HeaderBrand isBehind={drawer} />
        <Header isBehind={drawer} />
        <Sidebar />
        {drawer && <Scrim className="scrim" onPress={() => close('sidebar')} />}
        <main className="main" id="main" tabIndex={-1} data-region inert={drawer}>
          <ProgressBar />
          {children}
          <UploadsPanel />
          {over && <over.ContextMenu />}
        </main>
      </div>
      <DragBadge />
      {over && <over.Dialogs />}
      <Toasts />
    </>
  )
})
