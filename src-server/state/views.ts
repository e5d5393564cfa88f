// What may be read of the state. Lists come page by page, in the order of their keys, so that what is there all the time is on one page.
import { bcryptCost } from '../base/bcrypt-text.ts'
import { isWithin, type Path } from '../base/paths.ts'
import type {
  ImportedFrom,
  SigningKey,
  StateData,
  StoredAnyLink,
  StoredLink,
  StoredRequest,
  StoredSession,
  StoredSettings,
  StoredUser,
} from './state-data.ts'
import { checkFree, type NewUser } from './user-commands.ts'

/** What a request of a signed-in person may know of rights. */
export type PersonView = Readonly<{ session: StoredSession; user: StoredUser; settings: StoredSettings }>

/** What the command line of the machine may know: it may do everything, and has no session. */
export type OperatorView = Readonly<{
  session?: undefined
  user: Pick<StoredUser, 'id' | 'username' | 'perm' | 'lockPassword'>
  settings: StoredSettings
}>

/** What work of a person that needs no session may know of rights. */
export type AccountView = Readonly<{ user: StoredUser; settings: StoredSettings }>

/** What a request of a visitor of a link may know of rights. */
export type LinkView = Readonly<{ link: StoredLink; owner: StoredUser; settings: StoredSettings }>

/** What a request of somebody who sends files by a request link may know of rights. */
export type RequestView = Readonly<{ request: StoredRequest; owner: StoredUser; settings: StoredSettings }>

/** `next`: the key after which the next page begins; absent on the last one. */
export type Page<R, K> = Readonly<{ records: readonly R[]; next?: K }>

/** `most`: records on a page. */
type PageRequest<K> = Readonly<{ after?: K | undefined; most?: number }>

/** Which links: those of one user, to one path, to something at or below one, to something in the trash by its id. */
export type LinkFilter = Readonly<{
  userId?: number | undefined
  path?: Path | undefined
  atOrBelow?: Path | undefined
  suspended?: string | undefined
}>

const usualPage = 10_000

/** The state in memory, as it is when a method is called: records are frozen, and replaced when one changes. */
export abstract class Views {
  /** Each check of a password asks. */
  #bcryptCost: HighestCost = { of: [], highest: undefined }
  #linkBcryptCost: HighestCost = { of: [], highest: undefined }
  readonly #sessions: SessionIndex = { of: [], byId: new Map() }
  readonly #linkPages = new LinkPages<StoredLink>()
  readonly #requestPages = new LinkPages<StoredRequest>()

  abstract get data(): StateData

  /** Where imported users come from; empty when nothing was imported. */
  async imports(): Promise<readonly ImportedFrom[]> {
    return this.data.imported ?? []
  }

  /** The highest cost of the passwords of users that are hashes of bcrypt, as those from File Browser are; undefined without any. */
  async highestBcryptCost(): Promise<number | undefined> {
    this.#bcryptCost = costOf(this.data.users, this.#bcryptCost)
    return this.#bcryptCost.highest
  }

  /** The same of the passwords of links. */
  async highestLinkBcryptCost(): Promise<number | undefined> {
    this.#linkBcryptCost = costOf(this.data.links, this.#linkBcryptCost)
    return this.#linkBcryptCost.highest
  }

  /** Distinguishes the cookies of this server from those of others on the same host. */
  get instance(): string {
    return this.data.instance
  }

  /** The first one signs; all verify. */
  get keys(): readonly SigningKey[] {
    return this.data.keys
  }

  /** @returns undefined without such a session, and when its user is gone; one that has expired may still be there */
  async session(id: string): Promise<PersonView | undefined> {
    const { sessions, users, settings } = this.data
    updateIndex(this.#sessions, sessions)
    const session = this.#sessions.byId.get(id)
    const user = session && users.find((one) => one.id === session.userId)
    return session && user && { session, user, settings }
  }

  /** @returns undefined when there is no such user */
  async account(userId: number): Promise<AccountView | undefined> {
    const { users, settings } = this.data
    const user = users.find(({ id }) => id === userId)
    return user && { user, settings }
  }

  /** @returns undefined without such a link, and when its owner is gone; one that has expired may still be there */
  async link(hash: string): Promise<LinkView | undefined> {
    const { links, users, settings } = this.data
    const link = recordByHash(links, hash)
    const owner = link && users.find(({ id }) => id === link.userId)
    return link && owner && { link, owner, settings }
  }

  /** @returns undefined without such a request link, and when its owner is gone; one that has ended may still be there */
  async request(hash: string): Promise<RequestView | undefined> {
    const { requests, users, settings } = this.data
    const request = recordByHash(requests, hash)
    const owner = request && users.find(({ id }) => id === request.userId)
    return request && owner && { request, owner, settings }
  }

  async settings(): Promise<StoredSettings> {
    return this.data.settings
  }

  async userById(id: number): Promise<StoredUser | undefined> {
    return this.data.users.find((user) => user.id === id)
  }

  /** The user with exactly this name: case and spaces count. */
  async userNamed(name: string): Promise<StoredUser | undefined> {
    return this.data.users.find((user) => user.username === name)
  }

  /** The administrator with the lowest id, as whom everybody acts with noauth. */
  async firstAdministrator(): Promise<StoredUser | undefined> {
    return this.data.users.filter((user) => user.perm.admin).toSorted((one, other) => one.id - other.id)[0]
  }

  async userCount(): Promise<number> {
    return this.data.users.length
  }

  /** What addUser would refuse now, so that it need not be prepared. @throws Failure('conflict') */
  async checkFree(user: Pick<NewUser, 'username' | 'scope'>, isOwnHome: boolean): Promise<void> {
    checkFree(this.data, user, isOwnHome)
  }

  /** By id. */
  async users(asked: PageRequest<number> = {}): Promise<Page<StoredUser, number>> {
    return pageOf(inOrder(this.data.users, idOf), idOf, asked)
  }

  /** The sessions of a user, also those that have expired. There are a few hundred at most. */
  async sessionsOf(userId: number): Promise<readonly StoredSession[]> {
    return this.data.sessions.filter((session) => session.userId === userId)
  }

  /** Of both kinds. */
  async linkCount(): Promise<number> {
    return this.data.links.length + this.data.requests.length
  }

  /** By hash, also those that have expired. */
  async links(asked: LinkFilter & PageRequest<string> = {}): Promise<Page<StoredLink, string>> {
    return this.#linkPages.page(this.data.links, asked)
  }

  /** The same of those that take files in. */
  async requests(asked: LinkFilter & PageRequest<string> = {}): Promise<Page<StoredRequest, string>> {
    return this.#requestPages.page(this.data.requests, asked)
  }
}

class LinkPages<L extends StoredAnyLink> {
  /** Links of which a page was read that is not the last, in order. */
  #begun: { of: readonly L[]; filter: string; links: readonly L[] } | undefined

  page(of: readonly L[], { userId, path, atOrBelow, suspended, ...asked }: LinkFilter & PageRequest<string>): Page<L, string> {
    const filter = JSON.stringify({ userId, path, atOrBelow, suspended })
    const isWanted = (link: L) =>
      (userId === undefined || link.userId === userId) &&
      (path === undefined || link.path === path) &&
      (atOrBelow === undefined || isWithin(link.path as Path, atOrBelow)) &&
      (suspended === undefined || link.suspended === suspended)
    const begun = this.#begun?.of === of && this.#begun.filter === filter ? this.#begun.links : undefined
    const links = begun ?? inOrder(of.filter(isWanted), hashOf)
    const page = pageOf(links, hashOf, asked)
    this.#begun = page.next === undefined ? undefined : { of, filter, links }
    return page
  }
}

/** All records of a list. @param read one page of it */
export async function allOf<R, K>(read: (after: K | undefined) => Promise<Page<R, K>>): Promise<R[]> {
  const all: R[] = []
  for (let after: K | undefined; ; ) {
    const { records, next } = await read(after)
    for (const record of records) all.push(record)
    if (next === undefined) return all
    after = next
  }
}

const idOf = ({ id }: StoredUser) => id
const hashOf = ({ hash }: StoredAnyLink) => hash

function inOrder<R>(list: readonly R[], keyOf: (record: R) => number | string): R[] {
  return list.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** @param list in the order of the keys */
function pageOf<R, K extends number | string>(
  list: readonly R[],
  keyOf: (record: R) => K,
  { after, most = usualPage }: PageRequest<K>,
): Page<R, K> {
  const later = after === undefined ? list : list.filter((record) => keyOf(record) > after)
  const records = later.slice(0, most)
  const last = later.length > most ? records.at(-1) : undefined
  return { records, ...(last !== undefined && { next: keyOf(last) }) }
}

type SessionIndex = { of: readonly StoredSession[]; byId: Map<string, StoredSession> }

/** Updates the index for a new list. Lists mostly differ in one session, and rebuilding the index takes longer. */
function updateIndex(index: SessionIndex, next: readonly StoredSession[]) {
  const { of, byId } = index
  if (of === next) return
  let same = 0
  for (const session of of) {
    const other = next[same]
    if (other?.id !== session.id) byId.delete(session.id)
    else {
      if (other !== session) byId.set(session.id, other)
      same += 1
    }
  }
  for (const session of next.slice(same)) byId.set(session.id, session)
  index.of = next
}

/** Lists of links are frozen and replaced when one changes, so that the table of one stays valid. */
const tables = new WeakMap<readonly StoredAnyLink[], ReadonlyMap<string, StoredAnyLink>>()

/** The link with a hash. Takes as long however many there are. */
function recordByHash<L extends StoredAnyLink>(links: readonly L[], hash: string): L | undefined {
  let table = tables.get(links)
  if (!table) {
    table = new Map(links.map((link) => [link.hash, link]))
    tables.set(links, table)
  }
  return table.get(hash) as L | undefined
}

type WithPassword = Readonly<{ password?: string | undefined }>
/** The highest cost of bcrypt among the passwords of records. */
type HighestCost = Readonly<{ of: readonly WithPassword[]; highest: number | undefined }>

function costOf(of: readonly WithPassword[], known: HighestCost): HighestCost {
  if (known.of === of) return known
  const highest = of.reduce((most, { password = '' }) => Math.max(most, bcryptCost(password) ?? 0), 0)
  return { of, highest: highest || undefined }
}
