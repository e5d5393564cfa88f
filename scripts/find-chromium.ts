// Where the browser of the tests is: the system's own first, so that nothing is downloaded that is already there.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const systemChromium = '/usr/bin/chromium'

/** @returns a path to run. @throws one sentence when there is no browser and none can be had */
export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH
  if (named && !existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`)
  const found = named ?? findInstalled() ?? installFromDebian()
  if (found) return found
  throw new Error(
    'No Chromium: set CHROMIUM_PATH to one, install the package "chromium", or run "node_modules/.bin/playwright install chromium".',
  )
}

function findInstalled() {
  return [systemChromium, chromium.executablePath()].find(existsSync)
}

function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return undefined
  console.error('holdall: installing chromium (apt-get) …')
  const installed = apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')
  return installed && existsSync(systemChromium) ? systemChromium : undefined
}

function apt(...args: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}
