import { useLazyPart } from '../core/use-lazy-part.tsx'
import { view } from '../ui/view.tsx'
import { loginPart } from './lazy-login.ts'

/** The login screen, loaded when it is opened. */
export const LoginHost = view(function LoginHost() {
  const part = useLazyPart(loginPart)
  return part.loaded ? <part.loaded.LoginScreen /> : <main id="main">{part.placeholder}</main>
})
