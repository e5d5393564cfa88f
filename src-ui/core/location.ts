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

/** Called when the person goes back by one step. When it returns true the step was used up by something that was open. */
type BackCheck = () => boolean

type State = { position?: number; isFloor?: boolean } | null

const leaveChecks = new Set<LeaveCheck>()
const backChecks = new Set<BackCheck>()
/** Whether the page itself goes back, which closes nothing. */
let isGoingBack = false
/** The place of the page's entry among those of the history. Each entry keeps its own in its state. */
let position = 0
/** The place of the last entry of the page, to which Forward leads. */
let lastPosition = 0

/** @returns what removes the check */
export function checkBeforeLeaving(check: LeaveCheck): () => void {
  leaveChecks.add(check)
  return () => void leaveChecks.delete(check)
}

/** @returns what removes the check */
export function checkBeforeGoingBack(check: BackCheck): () => void {
  backChecks.add(check)
  return () => void backChecks.delete(check)
}

/** Goes back to the entry before, whatever is open. */
export function goBack(): void {
  isGoingBack = true
  history.back()
}

/**
 * Makes sure that a step back stays in the page, so that it can be used up. The first entry is made a second time; going back from
 * there passes over the first one, the floor.
 */
export function makeEntryBehind(): void {
  // A new entry would remove those ahead.
  if (position > 0 || lastPosition > position || typeof history === 'undefined') return
  history.replaceState({ ...history.state, isFloor: true }, '')
  position = 1
  lastPosition = 1
  history.pushState({ ...history.state, isFloor: false, position }, '')
}

type Going = {
  replace?: boolean
  /** Is kept with the history entry. */
  state?: unknown
  /** The screen that is shown must be left: nobody is asked whether it may be. */
  isForced?: boolean
}

/** Goes to an address of the page, without the base URL: `/files/a%20b/`. */
export function go(path: string, { replace = false, state = null, isForced = false }: Going = {}): void {
  const leave = () => {
    if (!replace) {
      position += 1
      lastPosition = position
    }
    navigate(baseURL + path, { replace, state: { ...(state as object | null), position } })
  }
  if (isForced || mayLeave(leave)) leave()
}

const mayLeave = (leave: () => void): boolean => [...leaveChecks].every((check) => check(leave))

/** Updates `address` when the history changes. */
export function followHistory(): void {
  position = positionOf(history) ?? 0
  lastPosition = position
  history.replaceState({ ...history.state, position, isFloor: false }, '')
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
    const isOwn = isGoingBack || isAgreed
    isGoingBack = false
    if (distance === -1 && !isOwn && [...backChecks].some((check) => check())) {
      isReturning = true
      history.go(1)
      return
    }
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
    lastPosition = Math.max(lastPosition, position)
    if (distance === -1 && (history.state as State)?.isFloor) passFloor()
    followAddress()
  }
}

/** When nothing is behind it, the page stays at the floor, which is like any other entry then. */
function passFloor(): void {
  history.replaceState({ ...history.state, isFloor: false }, '')
  history.back()
}

const positionOf = ({ state }: Pick<History, 'state'>): number | undefined => (state as State)?.position

/** A plain click on a link to a screen of this page opens it without loading the page again. */
export function followLinks(page: Document, run: (command: string) => void): void {
  page.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]') as HTMLAnchorElement | null
    if (!link || event.defaultPrevented || !isPlain(event) || !isPage(link)) return
    event.preventDefault()
    const wanted = link.pathname + link.search
    if (wanted === location.pathname + location.search) return
    if (link.dataset.command) run(link.dataset.command)
    else go(wanted.slice(baseURL.length))
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
