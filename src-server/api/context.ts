import type { FastifyRequest } from 'fastify'
import type { PlacedEntry, ReadFrom } from '../activity/activity-log.ts'
import type { Operation } from '../base/operation.ts'
import type { Access, Endpoint } from '../contract/endpoint.ts'
import type { OpenedRequest } from '../requests/opened-request.ts'
import type { FollowedLink } from '../shares/followed-link.ts'
import type { SharedFiles } from '../shares/shared-files.ts'
import type { Identity, SignIn } from '../users/sign-in.ts'
import type { SignUp } from '../users/sign-up.ts'
import type { AdministratorServices, ContextOf, PersonServices } from './person-context.ts'

/** The services that a handler gets, by access level. A public handler gets none that opens files. */
export type Contexts = {
  public: { signIn: Pick<SignIn, 'login' | 'loginByProxy' | 'loginWithoutAuth'>; signUp: Pick<SignUp, 'signUp'> }
  share: SharedContext
  request: SenderContext
  user: ContextOf<PersonServices>
  admin: ContextOf<AdministratorServices>
}

/** The entries of the activity log, the newest first; undefined without a log. */
export type ReadActivity = (from: ReadFrom) => AsyncIterable<readonly PlacedEntry[]> | undefined

type SenderContext = {
  /** The link as the sender sees it. */
  opened: OpenedRequest
  /** The address whose share of the limits the request counts towards. */
  visitor: string
  /** Set on the answer: stand for the password that was given, and for who sends something. */
  cookie: string[]
  /** Where the cookies belong: '' or '/prefix'. */
  baseURL: string
}

type SharedContext = {
  shared: SharedFiles
  /** The address whose share of the limits the request counts towards. */
  visitor: string
  /** Set on the answer: stands for the password that was given. */
  cookie?: string
  /** Where the cookie of a visit belongs: '' or '/prefix'. */
  baseURL: string
  /** For sockets, which get no disk: the link as its page follows it. */
  follow(): Promise<FollowedLink>
}

/**
 * Finds out who is calling, for each access level, and makes the context. Its resources are owned by the operation.
 * @throws Failure('unauthorized' | 'forbidden' | 'notFound')
 */
export type Authenticate = {
  [A in Access]: (request: FastifyRequest, endpoint: Endpoint, operation: Operation) => Promise<Contexts[A]>
} & {
  /** Who calls, before anything of the body is read. @throws Failure('unauthorized' | 'forbidden') */
  identify(request: FastifyRequest, endpoint: Endpoint): Promise<Identity>
  /** The page of the link of a request, to which a browser without its password is redirected. */
  shareAddress(request: FastifyRequest): string
  /** A path of the API as clients know it. */
  addressOf(path: string): string
  /** The address to which a browser is redirected when it opens a link without a session. */
  signInAddress(request: FastifyRequest): string
}
