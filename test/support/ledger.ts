// Records what a server has acknowledged, and checks that it was kept.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isReservedName } from '../../src-server/disk/reserved-names.ts'
import { readState } from '../../src-server/state/read-state.ts'
import { readStamp } from './stamped-file.ts'

/** `unsure`: a request was not answered, so that either outcome is correct. */
type SessionFate = 'alive' | 'unsure' | 'dead'

/** The acknowledged sessions, files and settings. */
export class Ledger {
  readonly #root: string
  readonly #stateFile: string
  /** Token → what the server must know of its session. */
  readonly sessions = new Map<string, SessionFate>()
  /** Name → the highest acknowledged version of the file. */
  readonly files = new Map<string, number>()
  /** The settings that may be stored: the last acknowledged ones, and those requested since. */
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

  /** Checks that the state file is valid and contains every acknowledged session and none that was ended. */
  checkState() {
    const reading = readState(this.#stateFile)
    // The first start may have ended before it wrote the file.
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
    // Before anything was acknowledged, the defaults of a new user are correct too.
    if (this.settingsKept > 0) assert.ok(this.settings.includes(found), `settings ${found} of ${this.settings}`)
    // Unanswered requests are either stored by now or never will be.
    this.settings = [found]
  }

  /** Checks that all acknowledged files exist and all files with a final name are complete. @param all also those checked before */
  checkFiles(all = false) {
    const names = readdirSync(this.#root).filter((name) => !isReservedName(name))
    for (const name of names.filter((name) => all || !this.#seenWhole.has(name))) this.#checkFile(name)
    const missing = [...this.files.keys()].filter((name) => !names.includes(name))
    assert.deepEqual(missing, [], 'acknowledged uploads are there')
  }

  #checkFile(name: string) {
    const stamp = readStamp(readFileSync(join(this.#root, name)))
    assert.ok(stamp !== undefined, `${name} is whole`)
    assert.equal(stamp.name, name)
    assert.ok(stamp.version >= (this.files.get(name) ?? 0), `${name} is not older than what was acknowledged`)
    // A file that is replaced again and again is checked each time.
    if (stamp.version === 0) this.#seenWhole.add(name)
  }
}

/** The fields of a user that the test changes. */
export type OwnSettings = { viewMode: string; sorting: { by: string; asc: boolean } }

export const settingsText = ({ viewMode, sorting: { by, asc } }: OwnSettings): string => `${viewMode} ${by} ${asc}`

function sessionOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
}
