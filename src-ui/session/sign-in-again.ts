import { pageConfig } from '../api/page-config.ts'
import { close } from '../core/overlay.ts'
import { login } from '../core/session.ts'
import { listingState, refresh } from '../listing/listing.ts'

/** The same person's session anew; what was under way goes on. @throws HttpFailure as `login` does */
export async function signInAgain(name: string, password: string): Promise<void> {
  // Where nobody types a password the server knows by itself who it is.
  await (pageConfig.LoginPage ? login(name, password) : login('', ''))
  close('password')
  // What was asked for meanwhile was refused.
  if (listingState.value.kind === 'failed') void refresh()
}
