// A served folder whose changes run commands, and what the commands recorded.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HookSettings } from '../../src-server/shell/hooks.ts'
import { type AppSetup, startApp, type TestApp } from './start-app.ts'

export type HookFolder = Readonly<{
  /** A folder outside the served one. */
  folder: string
  /** Writes a script that is run by node. @returns the words that run it, without characters that need quotes */
  script(name: string, code: string): string
  /** A file of the folder; undefined when there is none. */
  read(name: string): string | undefined
  write(name: string, text: string): void
  names(): string[]
}>

/** Makes the folder, which is removed after the test. */
export function hookFolder(t: { after(work: () => void): void }): HookFolder {
  const folder = mkdtempSync(join(tmpdir(), 'holdall-hooks-'))
  mkdirSync(join(folder, 'bin'))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  return {
    folder,
    script: (name, code) => {
      const file = join(folder, 'bin', `${name}.cjs`)
      writeFileSync(file, `const fs = require('node:fs')\n${code}`)
      return `${process.execPath} ${file}`
    },
    read: (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined),
    write: (name, text) => writeFileSync(join(folder, name), text),
    names: () => readdirSync(folder).filter((name) => name !== 'bin'),
  }
}

/** Starts a server that runs commands of events. @param settings read at each event */
export function startWithHooks(
  t: { after(work: () => Promise<void>): void },
  settings: () => Partial<HookSettings>,
  { options = {}, services, ...setup }: AppSetup = {},
): Promise<TestApp> {
  return startApp(t, {
    ...setup,
    options: { enableExec: true, execUnconfined: true, ...options },
    services: { hookSettings: () => ({ shell: [], commands: {}, ...settings() }), ...services },
  })
}
