import { computed, signal } from '@preact/signals-core'
import { navigate } from 'wouter/use-browser-location'
import { baseURL } from '../api/page-config.ts'
import { type Address, decide, filePathOf } from './routes.ts'
import { user } from './session.ts'

/** The current address, not decoded: after decodeURI, `a#b` and `a%23b` could not be told apart. */
export const address = signal<Address>(read())
export const decision = computed(() => decide(address.value, user.value))
/** The path of the file area, decoded; a folder's ends in a slash. */
export const filePath = computed(() => filePathOf(address.value.pathname))

/** Called before another screen is opened, by a link or by the history. When it returns false the screen stays; `leave` opens the other one later. */
type LeaveCheck = (leave: () => void) => boolean

const leaveChecks = new Set<LeaveCheck>()
/** The place of the page's entry among those of the history. Each entry keeps its own in its state. */
let position = 0

/** @returns what removes the check */
export function checkBeforeLeaving(check: LeaveCheck): () => void {
  leaveChecks.add(check)
  return () => void leaveChecks.delete(check)
}

/** Goes to an address of the page, without the base URL: `/files/a%20b/`. `state` is kept with the history entry. */
export function go(path: string, { replace = false, state = null }: { replace?: boolean; state?: unknown } = {}): void {
  const leave = () => {
    if (!replace) position += 1
    navigate(baseURL + path, { replace, state: { ...(state as object | null), position } })
  }
  if (mayLeave(leave)) leave()
}

const mayLeave = (leave: () => void): boolean => [...leaveChecks].every((check) => check(leave))

/** Updates `address` when the history changes. */
export function followHistory(): void {
  position = positionOf(history) ?? 0
  history.replaceState({ ...history.state, position }, '')
  for (const event of ['pushState', 'replaceState', 'hashchange']) addEventListener(event, followAddress)
  addEventListener('popstate', followTravel())
}

function followAddress(): void {
  const { pathname, search } = read()
  if (pathname !== address.value.pathname || search !== address.value.search) address.value = { pathname, search }
}

/** Handles Back and Forward. The event comes after the browser has moved: when the screen stays, the page moves back to its entry. */
function followTravel(): () => void {
  let isReturning = false
  let isAgreed = false
  return () => {
    if (isReturning) {
      isReturning = false
      return
    }
    const next = positionOf(history) ?? position
    const distance = next - position
    const leave = () => {
      isAgreed = true
      history.go(distance)
    }
    if (distance !== 0 && !isAgreed && !mayLeave(leave)) {
      isReturning = true
      history.go(-distance)
      return
    }
    isAgreed = false
    position = next
    followAddress()
  }
}

const positionOf = ({ state }: Pick<History, 'state'>): number | undefined => (state as { position?: number } | null)?.position

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
  return typeof location !== 'undefined'
    ? { pathname: location.pathname, search: location.search }
    : { pathname: '/', search: '' }
}
