import { type ReactNode, useEffect } from 'react'
import { Header, HeaderBrand } from './features/chrome/header.tsx'
import { ProgressBar } from './features/chrome/progress-bar.tsx'
import { Sidebar } from './features/chrome/sidebar.tsx'
import { Toasts } from './features/chrome/toasts.tsx'
import { DragBadge } from './features/listing/drag-badge.tsx'
import { UploadsPanel } from './features/uploads/transfers.tsx'
import { t } from './i18n/t.ts'
import { loadOverlays, overlays } from './screens/late-overlays.ts'
import { close, overlay } from './state/overlay.ts'
import { sidebarShown } from './state/preferences.ts'
import { view } from './view.tsx'

/** What every screen but the login stands in. */
export const Layout = view(function Layout({ children }: { children: ReactNode }) {
  useEffect(loadOverlays, [])
  const over = overlays.value
  const drawer = overlay.value.kind === 'sidebar'
  return (
    <>
      <a className="skip-link" href="#main">
        {t('app.skip')}
      </a>
      <div className="app" data-sidebar={sidebarShown.value ? undefined : 'closed'} data-drawer={drawer || undefined}>
        <HeaderBrand />
        <Header />
        <Sidebar />
        {drawer && <div className="scrim" onPointerDown={() => close('sidebar')} />}
        <main className="main" id="main" tabIndex={-1} data-region>
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
