import type { FastifyRequest } from 'fastify'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { OwnAccount } from '../people/own-account.ts'
import type { Identity, SignIn } from '../people/sign-in.ts'

/** What a handler is given, by access level. A public handler has no door to the disk to misuse. */
export type Contexts = {
  public: { signIn: Pick<SignIn, 'login' | 'loginByProxy' | 'loginWithoutAuth'> }
  share: Record<never, never>
  user: SignedInContext
  admin: SignedInContext
}

type SignedInContext = { files: UserFiles; account: OwnAccount; me: Identity; signIn: Pick<SignIn, 'renew' | 'logout'> }

/** Contexts, and what is to be let go once the handler is done with them. */
export type OpenedContext<D> = Readonly<{ context: D; close(): void | Promise<void> }>

/** Asks who is calling and opens the context of that level. @throws Failure('unauthorized' | 'forbidden' | 'notFound') */
export type Authenticate = {
  [A in Access]: (request: FastifyRequest, endpoint: Endpoint) => Promise<OpenedContext<Contexts[A]>>
} & {
  /** Where a browser goes that opened an address by itself and shows no living session. */
  signInAddress(request: FastifyRequest): string
}
