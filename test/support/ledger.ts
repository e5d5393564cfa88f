// What a server has promised, and whether it kept it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTemporaryName } from '../../src-server/disk/temporary-names.ts'
import { readState } from '../../src-server/state/read-state.ts'
import { readStamp } from './stamped-file.ts'

/** `unsure`: something was asked that was not answered, so that either outcome is right. */
type SessionFate = 'alive' | 'unsure' | 'dead'

export class Ledger {
  readonly #root: string
  readonly #stateFile: string
  /** By token. */
  readonly sessions = new Map<string, SessionFate>()
  /** The highest version of each file that was acknowledged. */
  readonly files = new Map<string, number>()
  /** The administrator's own settings that may stand: the last that were acknowledged, and any that were asked for since. */
  settings: string[] = []
  settingsKept = 0
  signInsByPassword = 0
  readonly #seenWhole = new Set<string>()

  constructor(root: string, stateFile: string) {
    this.#root = root
    this.#stateFile = stateFile
  }

  tokens(fate: SessionFate): string[] {
    return [...this.sessions].filter(([, actual]) => actual === fate).map(([token]) => token)
  }

  acknowledgeFile(name: string, version: number) {
    this.files.set(name, Math.max(version, this.files.get(name) ?? 0))
    this.#seenWhole.delete(name)
  }

  /** The state file parses and knows every session that was acknowledged, and none that was ended. */
  checkState() {
    const reading = readState(this.#stateFile)
    // Before the first start has come so far there is none.
    if (reading.kind === 'missing' && this.sessions.size === 0) return
    assert.equal(reading.kind, 'good', JSON.stringify(reading))
    const { sessions: stored, users } = reading.kind === 'good' ? reading.data : { sessions: [], users: [] }
    const ids = new Set(stored.map(({ id }) => id))
    this.#checkSettings(users[0])
    for (const [token, fate] of this.sessions) {
      if (fate !== 'unsure') assert.equal(ids.has(sessionOf(token)), fate === 'alive', `a session that is ${fate}`)
    }
  }

  acknowledgeSettings(kept: string) {
    this.settings = [kept]
    this.settingsKept += 1
  }

  #checkSettings(stored: OwnSettings | undefined) {
    const found = stored ? settingsText(stored) : ''
    // Before anything was acknowledged it may be as a new user's.
    if (this.settingsKept > 0) assert.ok(this.settings.includes(found), `settings ${found} of ${this.settings}`)
    // What was asked for and not answered either stands by now or never will.
    this.settings = [found]
  }

  /** Every acknowledged file is there, and whatever has a final name is whole. @param all also what was found whole before */
  checkFiles(all = false) {
    const names = readdirSync(this.#root).filter((name) => !isTemporaryName(name))
    for (const name of names.filter((name) => all || !this.#seenWhole.has(name))) this.#checkFile(name)
    const missing = [...this.files.keys()].filter((name) => !names.includes(name))
    assert.deepEqual(missing, [], 'acknowledged uploads are there')
  }

  #checkFile(name: string) {
    const stamp = readStamp(readFileSync(join(this.#root, name)))
    assert.ok(stamp !== undefined, `${name} is whole`)
    assert.equal(stamp.name, name)
    assert.ok(stamp.version >= (this.files.get(name) ?? 0), `${name} is not older than what was acknowledged`)
    // One that is replaced over and over is looked at each time.
    if (stamp.version === 0) this.#seenWhole.add(name)
  }
}

/** Of a user, what the test changes. */
export type OwnSettings = { viewMode: string; sorting: { by: string; asc: boolean } }

export const settingsText = ({ viewMode, sorting: { by, asc } }: OwnSettings): string => `${viewMode} ${by} ${asc}`

function sessionOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
}
