import type { FastifyRequest } from 'fastify'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import type { UserFiles } from '../files/user-files.ts'
import type { OwnAccount } from '../people/own-account.ts'
import type { Identity, SignIn } from '../people/sign-in.ts'

/** What a handler is given, by access level. A public handler has no door to the disk to misuse. */
export type Doors = {
  public: { signIn: Pick<SignIn, 'login' | 'loginByProxy' | 'loginWithoutAuth'> }
  share: Record<never, never>
  user: SignedInDoors
  admin: SignedInDoors
}

type SignedInDoors = { files: UserFiles; account: OwnAccount; me: Identity; signIn: Pick<SignIn, 'renew' | 'logout'> }

/** Doors, and what is to be let go once the handler is done with them. */
export type Opened<D> = Readonly<{ doors: D; close(): void | Promise<void> }>

/** Asks who is calling and opens the doors of that level. @throws Failure('unauthorized' | 'forbidden' | 'notFound') */
export type Opener = { [A in Access]: (request: FastifyRequest, endpoint: Endpoint) => Promise<Opened<Doors[A]>> } & {
  /** Where a browser goes that opened an address by itself and shows no living session. */
  signInAddress(request: FastifyRequest): string
}
