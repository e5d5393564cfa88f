// Where the browser of the tests is: the system's own first, so that nothing is downloaded that is already there.
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { installPackage } from './apt.ts'

const systemChromium = '/usr/bin/chromium'

/** @returns a path to run. @throws one sentence when there is no browser and none can be installed */
export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`)
  const found = named ?? findInstalled() ?? (installPackage('chromium') ? findInstalled() : undefined)
  if (found) return found
  throw new Error(
    'No Chromium: set CHROMIUM_PATH to one, install the package "chromium", or run "node_modules/.bin/playwright install chromium".',
  )
}

function findInstalled() {
  return [systemChromium, chromium.executablePath()].find(existsSync)
}
