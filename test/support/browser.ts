import { type Browser, chromium } from '@playwright/test'
import { findChromium } from '../../scripts/find-chromium.ts'
import { type FontName, fontConfiguration } from '../../scripts/find-fonts.ts'

const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export type BrowserOptions = Readonly<{
  args?: readonly string[]
  /** The only font that the browser finds, `wide` by default; `system` stands for all that are installed. */
  font?: FontName | 'system'
}>

/** A headless browser that loads nothing from the network but the tests' own pages. The caller closes it. */
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
