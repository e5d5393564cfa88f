// Mounts in the folders of tests. They need root, and a machine that lets it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why a test of mounts is left out; false where something can be mounted. */
export const withoutMounts: string | false = canMount() ? false : 'nothing can be mounted here'

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-test-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', 'none', folder])
  if (status === 0) execFileSync('umount', [folder])
  rmdirSync(folder)
  return status === 0
}

/** @param options of `mount`, before the folder */
export async function whileMounted(folder: string, options: readonly string[], work: () => Promise<void>): Promise<void> {
  execFileSync('mount', [...options, folder])
  try {
    await work()
  } finally {
    execFileSync('umount', ['--lazy', folder])
  }
}
