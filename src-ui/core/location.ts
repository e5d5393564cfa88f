import { computed, signal } from '@preact/signals-core'
import { navigate } from 'wouter/use-browser-location'
import { baseURL } from '../api/page-config.ts'
import { type Address, decide, filePathOf } from './routes.ts'
import { user } from './session.ts'

const inBrowser = typeof location !== 'undefined'

/** The current address, not decoded: after decodeURI, `a#b` and `a%23b` could not be told apart. */
export const address = signal<Address>(read())
export const decision = computed(() => decide(address.value, user.value))
/** The path of the file area, decoded; a folder's ends in a slash. */
export const filePath = computed(() => filePathOf(address.value.pathname))

/** Called before another screen is opened. When it returns false the screen stays; `leave` opens the other one later. */
type LeaveCheck = (leave: () => void) => boolean

const leaveChecks = new Set<LeaveCheck>()

/** @returns what removes the check */
export function checkBeforeLeaving(check: LeaveCheck): () => void {
  leaveChecks.add(check)
  return () => void leaveChecks.delete(check)
}

/** Goes to an address of the page, without the base URL: `/files/a%20b/`. `state` is kept with the history entry. */
export function go(path: string, { replace = false, state = null }: { replace?: boolean; state?: unknown } = {}): void {
  const leave = () => navigate(baseURL + path, { replace, state })
  if ([...leaveChecks].every((check) => check(leave))) leave()
}

/** Updates `address` when the history changes. */
export function followHistory(): void {
  for (const event of ['popstate', 'pushState', 'replaceState', 'hashchange']) {
    addEventListener(event, () => {
      const { pathname, search } = read()
      if (pathname !== address.value.pathname || search !== address.value.search) address.value = { pathname, search }
    })
  }
}

/** A plain click on a link to a screen of this page opens it without loading the page again. */
export function followLinks(page: Document): void {
  page.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null
    if (!link || event.defaultPrevented || !isPlain(event) || !isPage(link)) return
    event.preventDefault()
    const wanted = link.pathname + link.search
    if (wanted !== location.pathname + location.search) go(wanted.slice(baseURL.length))
  })
}

const isPlain = (event: MouseEvent) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey

function isPage(link: HTMLAnchorElement): boolean {
  if (link.origin !== location.origin || link.target || link.hasAttribute('download') || link.hash) return false
  const pages = ['/files/', '/settings/', '/login']
  return pages.some((page) => link.pathname.startsWith(baseURL + page))
}

function read(): Address {
  return inBrowser ? { pathname: location.pathname, search: location.search } : { pathname: '/', search: '' }
}
