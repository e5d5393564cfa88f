import { Toasts } from './features/chrome/toasts.tsx'
import { Layout } from './layout.tsx'
import { ErrorPage } from './screens/error-page.tsx'
import { FilesScreen } from './screens/files.tsx'
import { LoginScreen } from './screens/login.tsx'
import { decision } from './state/location.ts'
import type { Screen } from './state/routes.ts'
import { view } from './view.tsx'

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
