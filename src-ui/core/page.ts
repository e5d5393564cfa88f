import { effect, signal } from '@preact/signals-core'
import { pageConfig } from '../api/page-config.ts'
import { type Key, t } from '../i18n/t.ts'
import { address, decision, go } from './location.ts'
import { announce } from './notices.ts'
import { close } from './overlay.ts'
import type { Screen } from './routes.ts'

/** What the screen is about, when that says more than the screen's name: a folder's name. */
export const subject = signal<string | undefined>(undefined)
/** What comes before everything else in the title: how far the uploads are. */
export const titlePrefix = signal<string | undefined>(undefined)

const names: Record<Screen, Key> = {
  login: 'title.login',
  files: 'title.files',
  share: 'title.share',
  profile: 'title.profile',
  global: 'title.global',
  users: 'title.users',
  userNew: 'title.userNew',
  userEdit: 'title.userEdit',
  forbidden: 'error.forbidden',
  notFound: 'error.notFound',
  internal: 'error.internal',
}

/** The page's title: `46 % · Site visit · Holdall`. */
export function titleOf(
  screen: Screen,
  { subject, prefix }: { subject?: string | undefined; prefix?: string | undefined } = {},
): string {
  const about = screen === 'files' && subject ? subject : t(names[screen])
  return [prefix, about, pageConfig.Name || 'Holdall'].filter(Boolean).join(' · ')
}

/** Keeps the title, and follows the redirects that the guards decide. */
export function followDecisions(page: Document): void {
  effect(() => {
    const decided = decision.value
    if ('show' in decided) page.title = titleOf(decided.show, { subject: subject.value, prefix: titlePrefix.value })
    else if ('go' in decided) go(decided.go, { replace: true })
    else if (navigator.cookieEnabled) location.replace(decided.leave)
    // Without cookies the server would only send us back here.
    else go('/files/', { replace: true })
  })
}

/** After every change of page: nothing lies over it, the reading order begins at its content, and its name is said. */
export function followNavigation(page: Document): void {
  let before = address.value.pathname
  effect(() => {
    const { pathname } = address.value
    if (pathname === before) return
    before = pathname
    close()
    // Once the new page is drawn and has named itself.
    requestAnimationFrame(() => setTimeout(() => settle(page)))
  })
}

function settle(page: Document): void {
  const main = page.getElementById('main')
  if (main && !main.contains(page.activeElement)) main.focus({ preventScroll: true })
  announce(page.title)
}
