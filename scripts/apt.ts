import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

let isUpdated = false

/** Installs a Debian package without recommended ones. @returns whether it is installed now; false on other systems and without root */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  console.error(`holdall: installing ${name} (apt-get) …`)
  isUpdated ||= apt('update')
  return isUpdated && apt('install', '-y', '--no-install-recommends', name)
}

function apt(...args: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}
