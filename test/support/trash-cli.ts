// trash-cli, which reads trashes of freedesktop.org's layout without knowing anything of Holdall. It comes from PyPI: Debian has an older
// one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { installPackage } from '../../scripts/apt.ts'
import { trashName } from '../../src-server/disk/reserved-names.ts'

const version = '0.26.9.29'

export type TrashCli = Readonly<{
  /** The paths that are in the trashes of a folder, sorted. */
  list(root: string): string[]
  /** Puts one entry back. @param path where it was */
  restore(root: string, path: string): void
}>

/** Installs it into an empty folder. @returns why it cannot be had, where that is so */
export function installTrashCli(folder: string): TrashCli | string {
  const pip = ['python3', '-m', 'pip']
  for (const [name, command] of [
    ['python3', ['python3', '--version']],
    ['python3-pip', [...pip, '--version']],
  ] as const)
    if (!succeeds(command) && !(installPackage(name) && succeeds(command)))
      return `${name} is missing and could not be installed: trash-cli needs it (apt-get install ${name})`
  const { status, stderr } = run([...pip, 'install', '--quiet', '--target', folder, `trash-cli==${version}`])
  if (status !== 0) return `pip could not install trash-cli ${version}: ${stderr.trim().split('\n').at(-1)}`
  return { list: (root) => listed(folder, root), restore: (root, path) => restore(folder, root, path) }
}

function listed(folder: string, root: string): string[] {
  const lines = trashesIn(root).flatMap((trash) => output(folder, ['trash-list', '--trash-dir', trash]).split('\n'))
  // A day, a time, and the path.
  const paths = lines.filter((line) => line !== '').map((line) => line.split(' ').slice(2).join(' '))
  return paths.map((path) => path.slice(root.length)).sort()
}

function restore(folder: string, root: string, path: string): void {
  const owner = trashesIn(root).find((trash) => output(folder, ['trash-list', '--trash-dir', trash]).includes(`${root}${path}\n`))
  assert.ok(owner, `${path} is in a trash`)
  // The first of those that have this path.
  output(folder, ['trash-restore', '--trash-dir', owner, root + path], '0\n')
}

/** The trashes of all persons at the top of a folder, and of the folders in it. */
function trashesIn(root: string): string[] {
  const tops = [root, ...readdirSync(root).map((name) => join(root, name))].map((top) => join(top, trashName))
  return tops.flatMap((top) => namesIn(top).map((name) => join(top, name)))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function output(folder: string, [program = '', ...args]: readonly string[], input = ''): string {
  const { status, stdout, stderr } = run([join(folder, 'bin', program), ...args], { PYTHONPATH: folder, input })
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}

const succeeds = (command: readonly string[]): boolean => run(command).status === 0

function run([program = '', ...args]: readonly string[], { input = '', ...more }: Record<string, string> = {}) {
  return spawnSync(program, args, { input, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C.UTF-8', ...more } })
}
