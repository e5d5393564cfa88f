import style from 'holdall:part/session/login.css'
import { lazyScreen } from '../core/lazy.tsx'

/** The login screen, which a signed-in person does not need. */
export const LazyLogin = lazyScreen(
  async () => (await import('./login-screen.tsx')).LoginScreen,
  [style],
  (pane) => <main id="main">{pane}</main>,
)
