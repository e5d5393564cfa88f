import { effect, signal, untracked } from '@preact/signals-core'
import { pageConfig } from '../api/page-config.ts'
import { formatPercent } from '../i18n/format.ts'
import { t } from '../i18n/t.ts'
import { visibleName } from '../ui/file-names.ts'
import { address, checkBeforeGoingBack, decision, go, makeEntryBehind } from './location.ts'
import { noticesSlice } from './notices.ts'
import { overlaysSlice } from './overlay.ts'
import { type Decision, type Screen, screens } from './routes.ts'
import { slice, type Workspace } from './workspace.ts'

/** The parts of the page's title besides the name of the screen. */
export const pageSlice = slice('page', () => ({
  /** What the screen is about, when that says more than the screen's name: a folder's name. */
  subject: signal<string | undefined>(undefined),
  /** Whether the subject has changes that are not saved, which the title shows. */
  isUnsaved: signal(false),
  /** How far the work in a panel is, from 0 to 100; undefined while there is none. The title begins with it. */
  progress: signal<number | undefined>(undefined),
  /** How many jobs have ended or ask something while nobody looked; shown in the place of the progress. */
  news: signal(0),
  /** Whether the screen fills the window: header and sidebar are left out. */
  isFilled: signal(false),
}))

/** Before the name of a text that is not saved, in the title of the page. */
const unsavedMark = '•'

/** The page's title: `46 % · Site visit · Holdall`. */
export function titleOf(
  screen: Screen,
  { subject, prefix }: { subject?: string | undefined; prefix?: string | undefined } = {},
): string {
  const about = screen === 'files' && subject ? visibleName(subject) : t(screens[screen].title)
  return [prefix, about, pageConfig.Name || 'Holdall'].filter(Boolean).join(' · ')
}

/** Follows the redirects that the guards decide. They are forced: the screen before is not drawn any more. */
export function followRedirects(): void {
  effect(() => {
    const decided = decision.value
    if ('show' in decided) return
    if ('go' in decided) go(decided.go, { replace: true, isForced: true })
    else if (navigator.cookieEnabled) location.replace(decided.leave)
    // Without cookies the server would only redirect to this page again.
    else go('/files/', { replace: true, isForced: true })
  })
}

/** Turns the style sheet of the branding on or off: it could hide or move anything, so it is not where passwords and settings are. */
export function styleFor(decided: Decision, link: { disabled: boolean }): void {
  link.disabled = !('show' in decided) || decided.show === 'login' || decided.show === 'global'
}

/** Follows the screens with the style sheet of the branding. */
export function followStyle(link: { disabled: boolean } | null): void {
  if (link) effect(() => styleFor(decision.value, link))
}

/** Keeps the title of the page. */
export function followTitle(workspace: Workspace, document: Document): void {
  const { subject, isUnsaved, progress, news } = workspace.use(pageSlice)
  workspace.effect(() => {
    const decided = decision.value
    const about = isUnsaved.value ? `${unsavedMark} ${subject.value ?? ''}` : subject.value
    const prefix = progress.value !== undefined ? formatPercent(progress.value / 100) : news.value ? `(${news.value})` : undefined
    if ('show' in decided) document.title = titleOf(decided.show, { subject: about, prefix })
  })
}

/**
 * After each navigation: closes overlays, moves the reading order to the content, and announces the page's title.
 * @param isLoaded whether the page was just loaded, and nobody has signed in or out in it
 */
export function followNavigation(workspace: Workspace, document: Document, isLoaded = true): void {
  let before = isLoaded ? address.value.pathname : undefined
  workspace.effect(() => {
    const { pathname } = address.value
    if (pathname === before) return
    before = pathname
    workspace.use(overlaysSlice).leave()
    // Once the new screen is drawn and has set its title.
    requestAnimationFrame(() => workspace.timeout(() => announcePage(workspace, document), 0))
  })
}

/** Back closes what is open, and the screen stays. */
export function followOverlays(workspace: Workspace): void {
  const overlays = workspace.use(overlaysSlice)
  workspace.onDispose(checkBeforeGoingBack(() => overlays.leave()))
  workspace.effect(() => {
    if (overlays.current.value.kind !== 'none') untracked(makeEntryBehind)
  })
}

function announcePage(workspace: Workspace, document: Document): void {
  const main = document.getElementById('main')
  if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
  workspace.use(noticesSlice).announce(document.title)
}
