// A page in one look, with a fixed clock and without animations, and the steps to reach a state.
import { join } from 'node:path'
import type { Browser, BrowserContext, Locator, Page, Route } from '@playwright/test'
import { entry, middleOf } from '../../test/support/listing.ts'
import { translate } from '../../test/support/translate.ts'
import type { Look } from './looks.ts'
import { now } from './sample.ts'

/** The server and the session of a page. */
export type Target = {
  url: string
  /** The folder of the files to upload. */
  desktop: string
  /** Cookies and storage of a signed-in user; absent when nobody is signed in. */
  session?: Awaited<ReturnType<BrowserContext['storageState']>> | undefined
}

/** Opens a context that is the same in every run: the clock is fixed, and success notices do not disappear. */
export async function openWindow(browser: Browser, look: Look, { session }: Target): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
    forcedColors: look.forced ? 'active' : 'none',
    hasTouch: look.touch,
    locale: look.mirrored ? 'ar' : 'en-GB',
    timezoneId: 'UTC',
    ...(session && { storageState: session }),
  })
  await context.clock.setFixedTime(now)
  // Settings are not saved, so that no screenshot depends on the ones before.
  await context.route('**/api/users/*', (route) => route.fulfill({ status: 200, body: '200 OK\n' }))
  await context.addInitScript((noticeTime) => {
    const original = window.setTimeout
    const withoutNoticeTime = (work: () => void, delay?: number) => (delay === noticeTime ? 0 : original(work, delay))
    window.setTimeout = withoutNoticeTime as typeof window.setTimeout
  }, 1000)
  return context
}

/** The steps on one page. */
export class Stage {
  readonly page: Page
  readonly look: Look
  readonly #target: Target
  readonly #held: Route[] = []

  constructor(page: Page, look: Look, target: Target) {
    this.page = page
    this.look = look
    this.#target = target
  }

  /** The text of the page for an English text. */
  say(text: string): string {
    return this.look.mirrored ? translate('ar', text) : text
  }

  button(label: string): Locator {
    return this.page.getByRole('button', { name: this.say(label), exact: true })
  }

  desktopFile(name: string): string {
    return join(this.#target.desktop, name)
  }

  address(path: string): string {
    return this.#target.url + path
  }

  async go(path: string): Promise<void> {
    await this.page.goto(this.address(path))
    await this.page.locator('#startup').waitFor({ state: 'detached' })
  }

  /** Opens a folder below the root. */
  async folder(name = 'Allotment', view: 'List' | 'Tiles' = 'List'): Promise<void> {
    await this.go(name === '' ? '/files/' : `/files/${name}/`)
    const shown = this.page.locator('[data-entry]').or(this.page.locator('.empty')).first()
    await shown.waitFor()
    // In a narrow window there is only a button for the other view; in a wide one the button of the current view is pressed.
    await this.button('List').or(this.button('Tiles')).first().waitFor()
    const switchView = this.button(view).and(this.page.locator(':not([aria-pressed="true"])'))
    if ((await switchView.count()) > 0) await switchView.click()
    await this.page.locator(view === 'List' ? '.list, .empty' : '.mosaic, .empty').waitFor()
    await this.rest()
  }

  entry(name: string): Locator {
    return entry(this.page, name)
  }

  /** Moves the pointer to a corner, so that no element is hovered. */
  async rest(): Promise<void> {
    await this.page.mouse.move(this.look.width - 1, this.look.height - 1)
  }

  async select(...names: string[]): Promise<void> {
    const [first = '', ...others] = names
    if (this.look.touch) await this.hold(first)
    else await this.entry(first).click()
    for (const name of others) {
      if (this.look.touch) await this.entry(name).tap()
      else await this.entry(name).click({ modifiers: ['Control'] })
    }
    await this.rest()
  }

  /** Selects an entry by a long press. */
  async hold(name: string): Promise<void> {
    await this.entry(name).scrollIntoViewIfNeeded()
    const finger = await middleOf(this.entry(name))
    const client = await this.page.context().newCDPSession(this.page)
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] })
    await this.entry(name).and(this.page.locator('[aria-selected="true"]')).waitFor()
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }

  press(...keys: string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve())
  }

  dialog(): Promise<void> {
    return this.page.getByRole('dialog').waitFor()
  }

  async toolbar(label: string): Promise<void> {
    await this.page
      .getByRole('toolbar')
      .getByRole('button', { name: this.say(label), exact: true })
      .click()
  }

  /** Answers a call in target of the server. */
  async answer(path: string, status: number, body: string): Promise<void> {
    await this.page.route(`**/api/${path}`, (route) => route.fulfill({ status, body, contentType: 'text/plain' }))
  }

  /** Leaves a call without an answer. */
  async keepWaiting(path: string): Promise<void> {
    await this.page.route(`**/api/${path}`, (route) => void this.#held.push(route))
  }

  /** Aborts the calls without an answer: when the page closes, they would be sent to the server. */
  async leave(): Promise<void> {
    await Promise.all(this.#held.map((route) => route.abort()))
  }
}
