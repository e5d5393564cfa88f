// A browser context of one user: sign-in, upload, download. Every error in its console fails the test.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Download, Page } from '@playwright/test'
import { keepNotices } from './notices.ts'
import { administratorPassword } from './start-executable.ts'
import { waitForRoutes } from './sure-routes.ts'
import { longestWait } from './until.ts'

export type Person = {
  page: Page
  context: BrowserContext
  /** @throws with every error and policy violation that the page reported */
  close(): Promise<void>
}

/** Cookies and storage of a browser. */
export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>

export type View = {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  touch?: boolean
  locale?: string
  /** Whether what opens and closes moves. Without it a page takes an eighth less processor time. */
  motion?: boolean
  /** Bodies are refused before they have come: where the rest takes long, the connection is reset. */
  hasResets?: boolean
}

/**
 * Opens a new browser context, which shares no cookies and no storage with others.
 * @param session the initial cookies and storage; without it nobody is signed in
 */
export async function newPerson(browser: Browser, view: View = {}, session?: BrowserState): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1280, height: view.height ?? 800 },
    colorScheme: view.theme ?? 'light',
    hasTouch: view.touch ?? false,
    locale: view.locale ?? 'en-GB',
    isMobile: view.touch ?? false,
    acceptDownloads: true,
    reducedMotion: view.motion ? 'no-preference' : 'reduce',
  })
  if (session) await restore(context, session)
  await keepNotices(context)
  context.setDefaultTimeout(longestWait)
  const page = await context.newPage()
  if (latency > 0) await delayAnswers(page)
  if (slowdown > 1) await slowDown(page)
  waitForRoutes(page)
  const errors = watchConsole(page, view.hasResets ? [...expectedErrors, reset] : expectedErrors)
  return {
    page,
    context,
    close: async () => {
      await context.close()
      assert.deepEqual(errors, [], 'the page reported errors')
    },
  }
}

/**
 * Milliseconds by which each answer is late, from HOLDALL_TEST_LATENCY, 0 by default. A test that reads the page at once where it must
 * wait succeeds on a quick machine by luck: a run with 200 finds it.
 */
const latency = Number(process.env.HOLDALL_TEST_LATENCY ?? 0)

async function delayAnswers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const emulate = async (offline: boolean) => {
    const throughput = { downloadThroughput: -1, uploadThroughput: -1 }
    await session.send('Network.emulateNetworkConditions', { offline, latency, ...throughput })
  }
  await emulate(false)
  // What Playwright sets beside it would not hold.
  page.context().setOffline = emulate
}

/** How many times slower the scripts of pages run, from HOLDALL_TEST_SLOWDOWN, 1 by default: as `latency`, for the page's own time. */
const slowdown = Number(process.env.HOLDALL_TEST_SLOWDOWN ?? 1)

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
}

/** Puts cookies and storage into a new context. By `storageState` Playwright would open a page for it, and with it a process. */
async function restore(context: BrowserContext, { cookies, origins }: BrowserState): Promise<void> {
  await context.addCookies(cookies)
  await context.addInitScript((origins) => {
    const mark = 'test:restored'
    const here = origins.find(({ origin }) => origin === location.origin)
    if (!here || localStorage.getItem(mark)) return
    for (const { name, value } of here.localStorage) localStorage.setItem(name, value)
    localStorage.setItem(mark, 'true')
  }, origins)
}

/**
 * The browser logs this for a refused request, and for a socket that is opened when its session has ended (401). Tests cause such
 * requests on purpose.
 */
const answeredRequest =
  /^Failed to load resource: the server responded with a status of|^WebSocket connection to '[^']+' failed: HTTP Authentication failed/

/** The browser logs this for the scripts of a test, such as that of `keepNotices`, in a file that it shows in a sandbox. */
const sandboxed = /^Blocked script execution in '[^']+' because the document's frame is sandboxed/

/** What stands between page and server in `routeWebSocket` passes on what the page sends just when the server has closed its end. */
const proxied = /^WebSocket is already in CLOSING or CLOSED state\.$/

const reset = /^Failed to load resource: net::ERR_CONNECTION_RESET$/

const expectedErrors = [answeredRequest, sandboxed, proxied]

function watchConsole(page: Page, expected: readonly RegExp[]): string[] {
  const errors: string[] = []
  page.on('console', (message) => {
    const isExpected = expected.some((one) => one.test(message.text()))
    if (message.type() === 'error' && !isExpected) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return errors
}

export async function signIn(page: Page, url: string, name = 'admin', password = administratorPassword): Promise<void> {
  await page.goto(url)
  await fillCredentials(page, name, password)
  await page.getByRole('grid').or(page.getByText('This folder is empty')).first().waitFor()
}

export async function fillCredentials(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Uploads files with the button in the header and the system's dialog. */
export async function uploadByButton(page: Page, files: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await (await chooser).setFiles([...files])
}

/** Downloads the selected entry. */
export async function downloadFocused(page: Page): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]).catch(async (cause) => {
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    throw new Error(`Ctrl+S on "${focused}" started no download`, { cause })
  })
  return download
}

/** Switches to the list. */
export async function showList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'List', exact: true }).click()
}
