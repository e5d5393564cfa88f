import type { TokenUser } from '../../src-server/contract/users.ts'
import { decodePath } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'

/** An address of this page, not decoded. */
export type Address = { pathname: string; search: string }

export type Screen =
  | 'login'
  | 'files'
  | 'profile'
  | 'shares'
  | 'global'
  | 'users'
  | 'userNew'
  | 'userEdit'
  | 'activity'
  | 'forbidden'
  | 'notFound'
  | 'internal'

/** The result of routing: a screen, a redirect in the page, or a redirect to an address that the server answers. */
export type Decision = { show: Screen } | { go: string } | { leave: string }

type Route = { show: Screen; access: 'public' | 'user' | 'admin' }

const routes: Record<string, Route> = {
  '/login': { show: 'login', access: 'public' },
  '/settings/profile': { show: 'profile', access: 'user' },
  '/settings/shares': { show: 'shares', access: 'user' },
  '/settings/global': { show: 'global', access: 'admin' },
  '/settings/users': { show: 'users', access: 'admin' },
  '/settings/users/new': { show: 'userNew', access: 'admin' },
  '/settings/activity': { show: 'activity', access: 'admin' },
  '/403': { show: 'forbidden', access: 'public' },
  '/404': { show: 'notFound', access: 'public' },
  '/500': { show: 'internal', access: 'public' },
}

// Prefixes end in a slash: what follows is the rest of the route.
const routesBelow: [prefix: string, route: Route][] = [
  ['/files/', { show: 'files', access: 'user' }],
  ['/settings/users/', { show: 'userEdit', access: 'admin' }],
]

/** The route table, its guards and its redirects. `go` has no base URL. */
export function decide(address: Address, user: Pick<TokenUser, 'perm'> | null, base = baseURL): Decision {
  const path = belowBase(address.pathname, base)
  if (path === '/files') return { go: `/files/${address.search}` }
  if (path === '/settings' || path === '/settings/') return { go: '/settings/profile' }
  const route = routes[path] ?? routesBelow.find(([prefix]) => path.startsWith(prefix))?.[1]
  if (!route) return { go: `/files${path}${address.search}` }
  return guard(route, { path, search: address.search, user, base })
}

type Asked = { path: string; search: string; user: Pick<TokenUser, 'perm'> | null; base: string }

function guard(route: Route, { path, search, user, base }: Asked): Decision {
  if (route.show === 'login' && user) return afterLogin(search, base)
  if (route.access !== 'public' && !user) return { go: `/login?redirect=${encodeURIComponent(base + path + search)}` }
  if (route.access === 'admin' && !user?.perm.admin) return { go: '/403' }
  // Such names cannot exist, and the browser would resolve `..`.
  if (route.show === 'files' && !holdsNames(path)) return { show: 'notFound' }
  return { show: route.show }
}

/** Whether a screen is one of the settings. */
export const isSettings = (screen: Screen): boolean => settings.includes(screen)

const settings: readonly Screen[] = ['profile', 'shares', 'global', 'users', 'userNew', 'userEdit', 'activity']

const holdsNames = (path: string): boolean => path.split('/').every((segment) => isName(decodePath(segment)))
const isName = (segment: string): boolean => segment !== '.' && segment !== '..' && !/[/\0]/.test(segment)

const home: Decision = { go: '/files/' }
// Answered by the server, which redirects to the login page when the cookie is missing.
const served = ['/api/raw/', '/api/preview/']
const ownPaths = ['/files/', '/settings/']

/** The target of the redirect query if it is a page of this server, else the files: an open redirect would help phishing. */
export function afterLogin(search: string, base = baseURL): Decision {
  const wanted = new URLSearchParams(search).get('redirect')
  if (!wanted?.startsWith(`${base}/`)) return home
  // Parsed like the browser does, so that `//host`, backslashes and `..` are recognised.
  const here = 'http://here.invalid'
  const url = URL.canParse(wanted, here) ? new URL(wanted, here) : undefined
  if (url?.origin !== here || !url.pathname.startsWith(`${base}/`)) return home
  const path = url.pathname.slice(base.length)
  const isBelow = (prefix: string) => `${path}/`.startsWith(prefix)
  if (served.some(isBelow)) return { leave: base + path + url.search }
  return ownPaths.some(isBelow) ? { go: path + url.search } : home
}

/** The decoded path in an address of the files: `/a b/` for `/files/a%20b/`; `/` for other addresses. */
export function filePathOf(pathname: string, base = baseURL): string {
  const path = belowBase(pathname, base)
  return path.startsWith('/files/') && holdsNames(path) ? decodePath(path.slice('/files'.length)) : '/'
}

function belowBase(pathname: string, base: string): string {
  if (pathname === base) return '/'
  return pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '/'
}
