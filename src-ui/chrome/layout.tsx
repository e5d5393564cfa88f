import type { ReactNode } from 'react'
import { overlaysSlice } from '../core/overlay.ts'
import { pageSlice } from '../core/page.ts'
import { PartBoundary } from '../core/part-boundary.tsx'
import { sidebarShown } from '../core/preferences.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Scrim } from '../ui/scrim.tsx'
import { view } from '../ui/view.tsx'
import { DragBadge } from './drag-badge.tsx'
import { Header, HeaderBrand } from './header.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { Sidebar } from './sidebar.tsx'
import { Toasts } from './toasts.tsx'

type Props = { children: ReactNode; menus: ReactNode; dialogs: ReactNode; dock: ReactNode }

/** The layout of all screens except the login. */
export const Layout = view(function Layout({ children, menus, dialogs, dock }: Props) {
  const overlays = useSlice(overlaysSlice)
  const isFilled = useSlice(pageSlice).isFilled.value
  const isDrawer = overlays.current.value.kind === 'sidebar'
  return (
    <>
      <a className="skip-link" href="#main" inert={isDrawer}>
        {t('app.skip')}
      </a>
      <div
        className="app"
        data-sidebar={sidebarShown.value ? undefined : 'closed'}
        data-drawer={isDrawer || undefined}
        data-filled={isFilled || undefined}
      >
        {!isFilled && (
          <>
            <PartBoundary className="header-brand">
              <HeaderBrand isBehind={isDrawer} />
            </PartBoundary>
            <PartBoundary className="header">
              <Header isBehind={isDrawer} />
            </PartBoundary>
            <PartBoundary className="sidebar">
              <Sidebar />
            </PartBoundary>
          </>
        )}
        {isDrawer && <Scrim className="scrim" onPress={() => overlays.close('sidebar')} />}
        <main className="main" id="main" tabIndex={-1} data-region inert={isDrawer}>
          <ProgressBar />
          {children}
          <PartBoundary className="transfers">{dock}</PartBoundary>
          {menus}
        </main>
      </div>
      <DragBadge />
      {dialogs}
      <Toasts />
    </>
  )
})
