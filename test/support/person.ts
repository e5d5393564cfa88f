// A browser context of one person: sign-in, upload, download. Every error in its console fails the test.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, Download, Page } from '@playwright/test'
import { administratorPassword } from './start-executable.ts'

export type Person = {
  page: Page
  context: BrowserContext
  /** @throws with every error and policy violation that the page reported */
  close(): Promise<void>
}

/** Cookies and storage of a browser. */
export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>

export type View = { width?: number; height?: number; theme?: 'light' | 'dark'; touch?: boolean; locale?: string }

/**
 * Opens a window of its own: no cookie and nothing stored is shared with another.
 * @param session what the window begins with; nobody is signed in without it
 */
export async function newPerson(browser: Browser, view: View = {}, session?: BrowserState): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: view.width ?? 1280, height: view.height ?? 800 },
    colorScheme: view.theme ?? 'light',
    hasTouch: view.touch ?? false,
    locale: view.locale ?? 'en-GB',
    isMobile: view.touch ?? false,
    acceptDownloads: true,
    ...(session && { storageState: session }),
  })
  const page = await context.newPage()
  const complaints = watchConsole(page)
  return {
    page,
    context,
    close: async () => {
      await context.close()
      assert.deepEqual(complaints, [], 'the page reported errors')
    },
  }
}

/** The browser writes this for a request that a test makes fail on purpose: it is no error of the page. */
const answeredRequest = /^Failed to load resource: the server responded with a status of/

function watchConsole(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !answeredRequest.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
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

/** Sends files by the button in the header, as a person chooses them in the system's dialog. */
export async function uploadByButton(page: Page, files: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  await (await chooser).setFiles([...files])
}

/** Opens the entry that has the focus and waits for the download that follows. */
export async function downloadFocused(page: Page): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]).catch(async (cause) => {
    const focused = await page.evaluate(() => document.activeElement?.textContent)
    throw new Error(`no download came of Enter on "${focused}"`, { cause })
  })
  return download
}

/** Switches to the list, in which every entry has a row of its own. */
export async function showList(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'List', exact: true }).click()
}
