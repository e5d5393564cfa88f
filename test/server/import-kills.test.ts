// What an import leaves that is killed at any moment.
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { diskSystem } from '../../src-server/disk/system.ts'
import type { StateData } from '../../src-server/state/state-data.ts'
import { importFolder, runImport, runImportWith } from '../support/import-folder.ts'

const argv = ['filebrowser.db', '--root', 'root']
const stateIn = (at: (path: string) => string): StateData => JSON.parse(readFileSync(at('holdall.json'), 'utf8'))

/** Folders as they were before each change of a file: what a kill at that moment leaves. */
function killed(folder: string, to: string) {
  const kept: string[] = []
  const keep = () => {
    kept.push(join(to, String(kept.length)))
    cpSync(folder, kept.at(-1) ?? '', { recursive: true })
  }
  const system: typeof diskSystem = {
    ...diskSystem,
    open: (...args) => {
      keep()
      return diskSystem.open(...args)
    },
    rename: (...args) => {
      keep()
      return diskSystem.rename(...args)
    },
  }
  return { kept, system }
}

for (const flags of [[], ['--replace']])
  test(`an import ${flags.join()} that is killed leaves the state of before, and a second one all of the first and nothing else`, async (t) => {
    const auther = { recaptcha: { host: '', key: 'site', secret: 'hidden' } }
    const { folder, at } = importFolder(t, { records: { auther } })
    if (flags.length > 0) await runImport(folder, ...argv)
    const before = existsSync(at('holdall.json')) ? readFileSync(at('holdall.json'), 'utf8') : undefined
    if (before !== undefined) for (const file of ['config.json', 'captcha-secret']) rmSync(at(`holdall.json.${file}`))
    const other = mkdtempSync(join(tmpdir(), 'killed-'))
    t.after(() => rmSync(other, { recursive: true }))
    const { kept, system } = killed(folder, other)
    await runImportWith({ system }, folder, ...argv, ...flags)
    // What every opened state has beside it.
    const names = () => readdirSync(folder).filter((name) => !/\.(backup-|lock|pid|reserve)/.test(name))
    const [wanted, whole] = [names(), readFileSync(at('holdall.json'), 'utf8')]
    const present = () => (existsSync(at('holdall.json')) ? readFileSync(at('holdall.json'), 'utf8') : undefined)
    assert.ok(kept.length > 5)
    for (const snapshot of kept) {
      rmSync(folder, { recursive: true })
      cpSync(snapshot, folder, { recursive: true })
      // The state is the last file that is written.
      if (present() === whole) {
        assert.deepEqual(names(), wanted, snapshot)
        continue
      }
      assert.equal(present(), before, snapshot)
      await runImport(folder, ...argv, ...flags)
      assert.deepEqual([names(), stateIn(at).users], [wanted, JSON.parse(whole).users], snapshot)
    }
  })
