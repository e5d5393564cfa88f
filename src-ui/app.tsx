import type { ReadonlySignal } from '@preact/signals-core'
import { type ReactNode, useEffect } from 'react'
import { Layout } from './chrome/layout.tsx'
import { Toasts } from './chrome/toasts.tsx'
import { ErrorBoundary } from './core/error-boundary.tsx'
import { ErrorView } from './core/error-view.tsx'
import { address, decision } from './core/location.ts'
import { noticesSlice } from './core/notices.ts'
import { overlaysSlice } from './core/overlay.ts'
import { isSettings, type Screen } from './core/routes.ts'
import { useWorkspace, WorkspaceContext } from './core/use-workspace.ts'
import type { Workspace } from './core/workspace.ts'
import { t } from './i18n/t.ts'
import { overlayPart } from './lazy-overlays.ts'
import { FilesScreen } from './listing/files-screen.tsx'
import { LazyLogin } from './session/lazy-login.tsx'
import { LazySettings } from './settings/lazy-settings.ts'
import { view } from './ui/view.tsx'

/** The page of the current workspace. For another user everything is rendered anew with another workspace. */
export const App = view(function App({ current }: { current: ReadonlySignal<Workspace> }) {
  const workspace = current.value
  return (
    <WorkspaceContext key={workspace.id} value={workspace}>
      <ErrorBoundary resetKey={address.value.pathname} fallback={pageFailure}>
        <CurrentScreen />
      </ErrorBoundary>
    </WorkspaceContext>
  )
})

/** The screen for the current address; core/routes.ts has the guards and redirects. */
const CurrentScreen = view(function CurrentScreen() {
  const decided = decision.value
  // A redirect follows.
  if (!('show' in decided)) return null
  if (decided.show === 'login')
    return (
      <>
        <LazyLogin />
        <Toasts />
      </>
    )
  return (
    <Layout menus={<Menus />} dialogs={<Dialogs />} dock={<Dock />}>
      <ErrorBoundary resetKey={address.value.pathname} fallback={screenFailure}>
        {drawScreen(decided.show)}
      </ErrorBoundary>
    </Layout>
  )
})

function drawScreen(screen: Screen) {
  if (screen === 'files') return <FilesScreen />
  if (isSettings(screen) || screen === 'trash') return <LazySettings />
  if (screen === 'forbidden') return <ErrorPage status={403} />
  if (screen === 'internal') return <ErrorPage status={500} />
  return <ErrorPage status={404} />
}

const screenFailure = (error: unknown, retry: () => void) => (
  <ErrorPage status={500} code={error instanceof Error ? error.message : String(error)} onRetry={retry} />
)

// For errors of the layout and the login screen.
const pageFailure = (error: unknown, retry: () => void) => <main id="main">{screenFailure(error, retry)}</main>

function ErrorPage(props: { status: 403 | 404 | 500; code?: string; onRetry?: () => void }) {
  // No listing is read here, after which it is loaded otherwise. It has icons of the sidebar and of this page.
  useEffect(() => overlayPart.preload(), [])
  return (
    <div className="pane">
      <ErrorView {...props} />
    </div>
  )
}

const Menus = view(function Menus() {
  const part = overlayPart.value.value
  return (
    part && (
      <OverlayBoundary>
        <part.ContextMenu />
      </OverlayBoundary>
    )
  )
})

const Dock = view(function Dock() {
  const part = overlayPart.value.value
  return part && <part.Dock />
})

const Dialogs = view(function Dialogs() {
  const part = overlayPart.value.value
  return (
    part && (
      <OverlayBoundary>
        <part.Dialogs />
      </OverlayBoundary>
    )
  )
})

/** An overlay that throws is closed and reported; the next one is rendered again. */
const OverlayBoundary = view(function OverlayBoundary({ children }: { children: ReactNode }) {
  const workspace = useWorkspace()
  const overlays = workspace.use(overlaysSlice)
  const fallback = (error: unknown) => <OverlayFailure error={error} />
  return (
    <ErrorBoundary resetKey={overlays.current.value.kind} fallback={fallback}>
      {children}
    </ErrorBoundary>
  )
})

function OverlayFailure({ error }: { error: unknown }) {
  const workspace = useWorkspace()
  useEffect(() => {
    workspace.use(noticesSlice).fail(t('error.internal'), error instanceof Error ? error.message : String(error))
    workspace.use(overlaysSlice).close()
  }, [workspace, error])
  return null
}
