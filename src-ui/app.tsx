import { Layout } from './chrome/layout.tsx'
import { Toasts } from './chrome/toasts.tsx'
import { ErrorView } from './core/error-view.tsx'
import { decision } from './core/location.ts'
import type { Screen } from './core/routes.ts'
import { FilesScreen } from './listing/files-screen.tsx'
import { LoginScreen } from './session/login-screen.tsx'
import { view } from './ui/view.tsx'

/** The screen that the address leads to; guards and redirects stand in state/routes.ts. */
export const App = view(function App() {
  const decided = decision.value
  // A redirect is on its way.
  if (!('show' in decided)) return null
  return draw(decided.show)
})

function draw(screen: Screen) {
  if (screen === 'login')
    return (
      <>
        <LoginScreen />
        <Toasts />
      </>
    )
  return <Layout>{drawInside(screen)}</Layout>
}

function drawInside(screen: Screen) {
  if (screen === 'files') return <FilesScreen />
  if (screen === 'forbidden') return <ErrorPage status={403} />
  if (screen === 'internal') return <ErrorPage status={500} />
  return <ErrorPage status={404} />
}

/** A page that says that something is not to be had. */
export function ErrorPage({ status }: { status: 403 | 404 | 500 }) {
  return (
    <div className="pane">
      <ErrorView status={status} />
    </div>
  )
}
