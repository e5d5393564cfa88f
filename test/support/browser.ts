import { type Browser, chromium } from '@playwright/test'
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
export function launchBrowser({ args = [], font = 'wide' }: BrowserOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    headless: true,
    // Chromium has no sandbox for root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [...quiet, ...args],
    env: { ...process.env, ...(font !== 'system' && { FONTCONFIG_FILE: fontConfiguration(font) }) },
  })
}
