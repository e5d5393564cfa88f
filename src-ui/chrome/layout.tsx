import type { CSSProperties, ReactNode } from 'react'
import { entryViewSlice } from '../core/entry-view.ts'
import { overlaysSlice } from '../core/overlay.ts'
import { pageSlice } from '../core/page.ts'
import { PartBoundary } from '../core/part-boundary.tsx'
import { sidebarShown } from '../core/preferences.ts'
import { tasksSlice } from '../core/tasks.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { Scrim } from '../ui/scrim.tsx'
import { view } from '../ui/view.tsx'
import { Header, HeaderBrand } from './header.tsx'
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
          <LoadingBar />
          {children}
          <PartBoundary className="transfers">{dock}</PartBoundary>
          {menus}
        </main>
      </div>
      {dialogs}
      <Toasts />
    </>
  )
})

/** The bar at the top of the page: the progress of the work in a panel, or that something is being loaded. */
const LoadingBar = view(function LoadingBar() {
  const tasks = useSlice(tasksSlice)
  const entryView = useSlice(entryViewSlice)
  const percent = useSlice(pageSlice).progress.value
  if (percent === undefined && !entryView.loading.value && !tasks.current.value) return null
  const style = percent === undefined ? undefined : ({ '--value': `${percent}%` } as CSSProperties)
  return (
    <div
      className={percent === undefined ? 'progress progress-waiting' : 'progress'}
      role="progressbar"
      aria-label={t(percent === undefined ? 'app.loading' : 'app.progress')}
      aria-valuenow={percent}
      style={style}
    >
      <span />
    </div>
  )
})
