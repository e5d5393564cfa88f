import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let isUpdated = false

/** Installs a Debian package without recommended ones. @returns whether it is installed now; false on other systems and without root */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  console.error(`holdall: installing ${name} (apt-get) …`)
  isUpdated ||= apt('update')
  return isUpdated && apt('install', '-y', '--no-install-recommends', name)
}

/** One at a time: two tests may need a package at once, and apt-get fails while another of its processes runs. */
function apt(...args: string[]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const command = ['apt-get', '-qq', '-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=300', ...args]
  return (
    spawnSync('flock', [join(tmpdir(), 'holdall-apt.lock'), ...command], { stdio: ['ignore', 'ignore', 'inherit'], env })
      .status === 0
  )
}
