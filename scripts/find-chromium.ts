// Finds the browser for the tests: an installed one first, to avoid a download.
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { installPackage } from './apt.ts'

/** Chromium without user interface: opening a page takes a quarter of the processor time. */
const shell = { file: '/usr/bin/chromium-headless-shell', package: 'chromium-headless-shell' }
const whole = { file: '/usr/bin/chromium', package: 'chromium' }

/** @returns the path of the browser @throws with one sentence when there is none and none can be installed */
export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`)
  const found =
    named ?? installed(shell.file) ?? install(shell) ?? installed(whole.file, chromium.executablePath()) ?? install(whole)
  if (found) return found
  throw new Error(
    'No Chromium: set CHROMIUM_PATH to one, install the package "chromium-headless-shell" or "chromium", or run "node_modules/.bin/playwright install chromium".',
  )
}

const installed = (...files: readonly string[]) => files.find(existsSync)

function install(browser: typeof shell) {
  return installPackage(browser.package) ? installed(browser.file) : undefined
}
