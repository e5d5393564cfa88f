import type { TokenUser } from '../../src-server/contract/users.ts'
import { decodePath } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import type { Key } from '../i18n/t.ts'

/** An address of this page, not decoded. */
export type Address = { pathname: string; search: string }

type ScreenRoute = {
  /** One that ends in a slash is the beginning of several addresses. Those of the settings with one name after it are tabs. */
  path: string
  /** Who may open it; without it, whoever is signed in. */
  access?: 'public' | 'admin'
  /** The name of the screen, in the title of the page and on its tab. */
  title: Key
}

/** All screens. Of two that fit an address the first is shown. */
export const screens = {
  login: { path: '/login', access: 'public', title: 'title.login' },
  files: { path: '/files/', title: 'title.files' },
  trash: { path: '/trash', title: 'title.trash' },
  profile: { path: '/settings/profile', title: 'title.profile' },
  shares: { path: '/settings/shares', title: 'title.shares' },
  global: { path: '/settings/global', access: 'admin', title: 'title.global' },
  users: { path: '/settings/users', access: 'admin', title: 'title.users' },
  userNew: { path: '/settings/users/new', access: 'admin', title: 'title.userNew' },
  userEdit: { path: '/settings/users/', access: 'admin', title: 'title.userEdit' },
  activity: { path: '/settings/activity', access: 'admin', title: 'title.activity' },
  forbidden: { path: '/403', access: 'public', title: 'error.forbidden' },
  notFound: { path: '/404', access: 'public', title: 'error.notFound' },
  internal: { path: '/500', access: 'public', title: 'error.internal' },
} as const satisfies Record<string, ScreenRoute>

export type Screen = keyof typeof screens
/** A screen of the settings, which `settings/settings-screen.tsx` draws. */
export type ScreenOfSettings = { [S in Screen]: (typeof screens)[S]['path'] extends `/settings/${string}` ? S : never }[Screen]

/** The result of routing: a screen, a redirect in the page, or a redirect to an address that the server answers. */
export type Decision = { show: Screen } | { go: string } | { leave: string }

/** The screen of an address, with its guards and redirects. `go` has no base URL. */
export function decide(address: Address, user: Pick<TokenUser, 'perm'> | null, base = baseURL): Decision {
  const path = belowBase(address.pathname, base)
  if (path === '/files') return { go: `/files/${address.search}` }
  if (path === '/settings' || path === '/settings/') return { go: '/settings/profile' }
  const show = (Object.keys(screens) as Screen[]).find((screen) => fits(screens[screen].path, path))
  if (!show) return { go: `/files${path}${address.search}` }
  return guard(show, { path, search: address.search, user, base })
}

type RouteRequest = { path: string; search: string; user: Pick<TokenUser, 'perm'> | null; base: string }

const fits = (route: string, path: string) => (route.endsWith('/') ? path.startsWith(route) : path === route)

function guard(show: Screen, { path, search, user, base }: RouteRequest): Decision {
  const { access }: ScreenRoute = screens[show]
  if (show === 'login' && user) return afterLogin(search, base)
  if (access !== 'public' && !user) return { go: `/login?redirect=${encodeURIComponent(base + path + search)}` }
  if (access === 'admin' && !user?.perm.admin) return { go: '/403' }
  // Such names cannot exist, and the browser would resolve `..`.
  if (show === 'files' && !holdsNames(path)) return { show: 'notFound' }
  return { show }
}

export const isSettings = (screen: Screen): screen is ScreenOfSettings => screens[screen].path.startsWith('/settings/')

const holdsNames = (path: string): boolean => path.split('/').every((segment) => isName(decodePath(segment)))
const isName = (segment: string): boolean => segment !== '.' && segment !== '..' && !/[/\0]/.test(segment)

const home: Decision = { go: '/files/' }
// Answered by the server, which redirects to the login page when the cookie is missing.
const served = ['/api/raw/', '/api/preview/']
const ownPaths = ['/files/', '/settings/', '/trash/']

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
