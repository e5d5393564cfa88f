import type { FastifyRequest } from 'fastify'
import type { Operation } from '../base/operation.ts'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { OwnAccount } from '../people/own-account.ts'
import type { Identity, SignIn } from '../people/sign-in.ts'

/** What a handler is given, by access level. A public handler cannot reach the disk. */
export type Contexts = {
  public: { signIn: Pick<SignIn, 'login' | 'loginByProxy' | 'loginWithoutAuth'> }
  share: Record<never, never>
  user: SignedInContext
  admin: SignedInContext
}

type SignedInContext = { files: UserFiles; account: OwnAccount; me: Identity; signIn: Pick<SignIn, 'renew' | 'logout'> }

/**
 * Asks who is calling and opens the context of that level; what it holds is owned by the operation.
 * @throws Failure('unauthorized' | 'forbidden' | 'notFound')
 */
export type Authenticate = {
  [A in Access]: (request: FastifyRequest, endpoint: Endpoint, operation: Operation) => Promise<Contexts[A]>
} & {
  /** Where a browser goes that opened an address by itself and shows no living session. */
  signInAddress(request: FastifyRequest): string
}
