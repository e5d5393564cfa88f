import type { Browser } from '@playwright/test'
import { findChromium } from '../../scripts/find-chromium.ts'
import { type FontSet, fontConfiguration } from '../../scripts/find-fonts.ts'

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page that a test answers itself counts as one of the internet, which may not open a socket to this machine.
  '--disable-features=LocalNetworkAccessChecks',
]

export type BrowserOptions = Readonly<{
  args?: readonly string[]
  /** The only fonts that the browser finds, `wide` by default; `system` for all that are installed. */
  font?: FontSet | 'system'
}>

/** Starts a headless browser that sends no requests of its own. The caller closes it. */
export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const { chromium } = await import('@playwright/test')
  return chromium.launch(launchOptions(options))
}

function launchOptions({ args = [], font = 'wide' }: BrowserOptions) {
  return {
    executablePath: findChromium(),
    headless: true,
    // Chromium has no sandbox for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...quiet, ...args],
    env: { ...process.env, ...(font !== 'system' && { FONTCONFIG_FILE: fontConfiguration(font) }) },
  }
}

/** Starts a browser that a test ends as `kill -9` does. @returns the browser, and what kills all its processes and waits for their end */
export async function launchMortalBrowser(): Promise<{ browser: Browser; kill(): Promise<void> }> {
  const { chromium } = await import('@playwright/test')
  const server = await chromium.launchServer(launchOptions({}))
  return { browser: await chromium.connect(server.wsEndpoint()), kill: () => server.kill() }
}

/** The browser with the usual options, which the test files of one process share. */
let shared: Browser | undefined
let isShared = false

/** From now on the files of this process get one browser. */
export function shareBrowser(): void {
  isShared = true
}

/**
 * A browser without contexts. Where the process shares one, files get the same, unless they ask for other options.
 * @returns the browser, and what to call when the file needs it no more
 */
export async function borrowBrowser(options: BrowserOptions): Promise<{ browser: Browser; release(): Promise<void> }> {
  const isUsual = options.args === undefined && (options.font ?? 'wide') === 'wide'
  if (!isShared || !isUsual) {
    const browser = await launchBrowser(options)
    return { browser, release: () => browser.close() }
  }
  if (!shared?.isConnected()) shared = await launchBrowser()
  const browser = shared
  return { browser, release: async () => void (await Promise.all(browser.contexts().map((context) => context.close()))) }
}

/** Closes the browser that the files of this process have shared. */
export async function closeBrowser(): Promise<void> {
  await shared?.close()
}
