// One person who changes files by the calls of the server, and knows where each content is at any time, also when a call gets no answer
// because the server was killed.
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Act } from '../../src-server/contract/history.ts'
import type { JobDetails } from '../../src-server/contract/jobs.ts'
import type { Purged, Restored, TrashItem, TrashList } from '../../src-server/contract/trash.ts'
import { asPrincipal, encoded } from './as-principal.ts'
import {
  backAgain,
  type Change,
  ExpectedContents,
  type FoundContents,
  inTrash,
  isAt,
  newContent,
  type Partial,
  reversed,
} from './contents.ts'
import type { SeededRandom } from './seeded-random.ts'
import { readStamp } from './stamped-file.ts'
import { longestWait, until } from './until.ts'

export const acrossKind = 'job: move to another file system'

/** What is asked of the server, and what becomes of contents when all of it is done. */
type Work = Readonly<{
  kind: string
  changes: readonly Change[]
  partial: Partial
  run(): Promise<unknown>
  /** The job, or the act that is undone: what has to be continued after a kill. */
  job?: { id: string; entries: number }
  act?: { id: string; way: 'undo' | 'redo' }
  /** Whether it is an act that can be undone. */
  isAct: boolean
}>
/** `final`: where its contents are when all of it is done. */
type Running = Work & Readonly<{ final: ReadonlyMap<string, readonly string[]> }>

type Parts = Readonly<{ name: string; token: string; root: string; random: SeededRandom; otherFileSystem?: string | undefined }>

/** The answer did not come: the server is gone. */
class NoAnswer extends Error {}

export class FileWork {
  readonly expected = new ExpectedContents()
  /** How often each kind was done, and was interrupted: `before`, `between`, `after`. */
  readonly done = new Map<string, number>()
  readonly interrupted = new Map<string, Map<string, number>>()
  /** Milliseconds that each kind took when it was last done. */
  readonly took = new Map<string, number>()
  readonly #parts: Parts
  #url = ''
  #running: Running | undefined
  /** The last act, its way back, and whether it is undone; and the key of the act of the last request. */
  #last: { key: string; undone: readonly Change[]; isUndone: boolean } | undefined
  #key = ''
  #fresh = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  connect(url: string): void {
    this.#url = url
  }

  /**
   * Does something of a kind, or something that is possible in its place.
   * @param onBegin called when its request is about to be sent @returns whether the server is there still
   */
  async work(kind: string, onBegin = (_kind: string) => {}): Promise<boolean> {
    try {
      const work = await this.#prepare(kind)
      this.#running = { ...work, final: this.expected.after(work.changes) }
      const began = performance.now()
      onBegin(work.kind)
      await work.run()
      this.took.set(work.kind, performance.now() - began)
      this.#isDone(work)
      return true
    } catch (error) {
      if (error instanceof NoAnswer) return false
      throw error
    }
  }

  /** After a start, before anything is asked: everything is where it was, but for what was interrupted. */
  compare(found: FoundContents): void {
    const work = this.#running
    const far = this.expected.compare(found.where, work?.changes ?? [], work?.partial ?? 'whole')
    if (!work) return
    const counts = this.interrupted.get(work.kind) ?? new Map<string, number>()
    counts.set(far, (counts.get(far) ?? 0) + 1)
    this.interrupted.set(work.kind, counts)
  }

  /** Continues what was interrupted. @param look reads what is there @returns whether there was something to continue */
  async goOn(look: () => FoundContents): Promise<void> {
    const work = this.#running
    this.#running = undefined
    if (!work) return
    this.#last = undefined
    if (work.job) await this.#continueJob(work, work.job, look)
    else if (work.act) await this.#continueUndo(work, work.act, look)
    else await this.#finishMove(work, look)
  }

  /** A file that was killed with its new name and the old one loses that when it is moved again. */
  async #finishMove({ final, changes, run }: Running, look: () => FoundContents) {
    const isHalf = changes.some(({ content }) => this.expected.of(content).length > (final.get(content)?.length ?? 0))
    if (!isHalf) return
    await run()
    this.#assertAll(final, look())
  }

  /** All that may be there. */
  contents(): string[] {
    return [...this.expected.contents(), ...(this.#running?.changes ?? []).map(({ content }) => content)]
  }

  /** Removes all of it, so that a long run does not become slower and slower. */
  async clearIfLarge(): Promise<void> {
    if ([...this.expected.contents()].length < 250) return
    await this.work('purge all')
    for (const { content, at } of this.expected.at('/')) this.expected.apply([{ content, from: at }])
    for (const folder of this.#folders()) rmSync(folder, { recursive: true, force: true })
    this.#last = undefined
  }

  #folders() {
    const { root, name, otherFileSystem } = this.#parts
    return [join(root, name), ...(otherFileSystem === undefined ? [] : [join(root, otherFileSystem, name)])]
  }

  async #continueJob(work: Running, { id, entries }: { id: string; entries: number }, look: () => FoundContents) {
    const answer = await this.#ask('GET', `/api/jobs/${id}`)
    if (answer.status === 404) {
      // It was not kept: a large one has not begun then.
      if (entries > 50) this.expected.compare(look().where, [], 'whole')
      return
    }
    const { state } = JSON.parse(answer.text) as JobDetails
    if (state !== 'ended') {
      assert.equal(state, 'interrupted')
      assert.equal((await this.#ask('PATCH', `/api/jobs/${id}`, { action: 'continue' })).status, 200)
    }
    await this.#whenEnded(id, entries)
    this.#assertAll(work.final, look())
  }

  async #continueUndo(work: Running, { id, way }: { id: string; way: 'undo' | 'redo' }, look: () => FoundContents) {
    const act = (await this.#acts()).find((one) => one.id === id)
    assert.ok(act, 'the act is listed after a restart')
    if (act.begun) {
      assert.equal(act.begun, way)
      const answer = await this.#ask('POST', `/api/history/${id}/${way}`, {})
      assert.equal(answer.status, 200, `an ${way} that broke off is continued: ${answer.text}`)
      this.#assertAll(work.final, look())
      return
    }
    const isDone = act.state === (way === 'undo' ? 'undone' : 'done')
    if (isDone) this.#assertAll(work.final, look())
    else assert.equal(act.state, way === 'undo' ? 'done' : 'undone')
  }

  /** All of it is done by now. */
  #assertAll(final: Running['final'], { where }: FoundContents) {
    for (const [content, locations] of final) this.expected.set(content, locations)
    this.expected.compare(where, [], 'whole')
  }

  #isDone({ kind, changes, isAct, act, job }: Work) {
    this.#running = undefined
    this.expected.apply(changes)
    this.done.set(kind, (this.done.get(kind) ?? 0) + 1)
    if (isAct) this.#last = { key: job?.id ?? this.#key, undone: reversed(changes), isUndone: false }
    else if (act && this.#last) this.#last = { key: this.#last.key, undone: backAgain(changes), isUndone: act.way === 'undo' }
    else this.#last = undefined
  }

  async #prepare(kind: string): Promise<Work> {
    const files = this.#files()
    const one = files.length > 0 ? this.#parts.random.pick(files) : undefined
    switch (kind) {
      case 'replace':
        return one && this.expected.at(inTrash(one.at)).length < 15 ? this.#upload(one) : this.#upload()
      case 'delete':
        return one ? this.#delete(kind, [one], one.at) : this.#upload()
      case 'delete a folder': {
        const folder = this.#plantFolder(5)
        return this.#delete(kind, this.expected.at(`${folder}/`), folder)
      }
      case 'restore':
      case 'restore over another':
      case 'purge':
        return (await this.#ofTrash(kind)) ?? this.#upload()
      case 'purge all':
        return this.#purgeAll()
      case 'move':
        return one ? this.#move(one) : this.#upload()
      case 'move over another': {
        const other = files.find(({ at }) => at !== one?.at && this.expected.at(inTrash(at)).length < 15)
        return one && other ? this.#move(one, other) : this.#upload()
      }
      case 'job: delete':
      case 'job: move':
      case 'job: copy':
      case acrossKind:
        return this.#job(kind)
      case 'undo':
      case 'redo':
        return (await this.#undo(kind)) ?? this.#upload()
      default:
        return this.#upload()
    }
  }

  /** Files that are no part of a job. */
  #files() {
    return this.expected.at(`/${this.#parts.name}/f`)
  }

  #freshPath(letter: string) {
    return `/${this.#parts.name}/${letter}${++this.#fresh}`
  }

  #upload(over?: { content: string; at: string }): Work {
    const { random } = this.#parts
    const { content, bytes } = newContent(random.below(8) === 0 ? random.below(2_000_000) : random.below(20_000))
    const path = over?.at ?? this.#freshPath('f')
    const kept = over ? [{ content: over.content, from: over.at, to: inTrash(over.at) }] : []
    const run = () => this.#did('POST', `/api/resources${encoded(path)}${over ? '?override=true' : ''}`, bytes)
    return { kind: over ? 'replace' : 'create', changes: [...kept, { content, to: path }], partial: 'whole', run, isAct: true }
  }

  #delete(kind: string, contents: readonly { content: string; at: string }[], path: string): Work {
    const changes = contents.map(({ content, at }) => ({ content, from: at, to: inTrash(at) }))
    return { kind, changes, partial: 'whole', run: () => this.#did('DELETE', `/api/resources${encoded(path)}`), isAct: true }
  }

  #move(one: { content: string; at: string }, other?: { content: string; at: string }): Work {
    const to = other?.at ?? this.#freshPath('f')
    const kept = other ? [{ content: other.content, from: to, to: inTrash(to) }] : []
    const query = `?action=rename&destination=${encodeURIComponent(to)}${other ? '&override=true' : ''}`
    const run = () => this.#did('PATCH', `/api/resources${encoded(one.at)}${query}`)
    const changes = [...kept, { content: one.content, from: one.at, to }]
    // A file gets its new name before it loses the old one.
    return { kind: other ? 'move over another' : 'move', changes, partial: other ? 'whole' : 'copied', run, isAct: true }
  }

  async #ofTrash(kind: string): Promise<Work | undefined> {
    const items = (await this.#ownItems()).filter(({ path }) => kind !== 'restore over another' || this.#files().some(isAt(path)))
    const free = items.filter(({ path }) => kind !== 'restore' || !this.#files().some(isAt(path)))
    if (free.length === 0) return undefined
    const { id, path, isDir } = this.#parts.random.pick(free)
    const inside = isDir ? this.expected.at(inTrash(`${path}/`)) : [{ content: await this.#contentOf(id), at: inTrash(path) }]
    if (kind === 'purge') {
      const run = () => this.#did('DELETE', '/api/trash', { items: [id] })
      return { kind, changes: inside.map(({ content, at }) => ({ content, from: at })), partial: 'whole', run, isAct: false }
    }
    const back = inside.map(({ content, at }) => ({ content, from: at, to: at.slice(inTrash('').length) }))
    const displaced = this.#files().filter(isAt(path))
    const away = displaced.map(({ content, at }) => ({ content, from: at, to: inTrash(at) }))
    const taken = displaced.length > 0 ? 'replace' : 'ask'
    const run = async () => {
      const answer = JSON.parse(await this.#did('POST', '/api/trash/restore', { items: [id], taken })) as Restored
      assert.deepEqual(answer, { restored: [{ id, path }], taken: [], failures: [] })
    }
    return { kind, changes: [...away, ...back], partial: displaced.length > 0 ? 'each' : 'whole', run, isAct: true }
  }

  #purgeAll(): Work {
    const changes = this.expected.at(inTrash('/')).map(({ content, at }) => ({ content, from: at }))
    const run = async () => {
      const { failures } = JSON.parse(await this.#did('DELETE', '/api/trash', { all: true })) as Purged
      assert.deepEqual(failures, [])
    }
    return { kind: 'purge all', changes, partial: 'each', run, isAct: false }
  }

  #job(kind: string): Work {
    const { random, name, otherFileSystem } = this.#parts
    const folder = this.#plantFolder(random.below(2) === 0 ? 51 + random.below(20) : 2 + random.below(20))
    const all = this.expected.at(`${folder}/`)
    const entries = all.map(({ at }) => at)
    const isAcross = kind === acrossKind
    const to = isAcross ? `/${otherFileSystem}${this.#freshPath('t')}` : this.#freshPath('t')
    mkdirSync(join(this.#parts.root, to), { recursive: true })
    const changes = all.map(({ content, at }) => {
      if (kind === 'job: delete') return { content, from: at, to: inTrash(at) }
      const target = `${to}/${at.slice(folder.length + 1)}`
      return { content, ...(kind !== 'job: copy' && { from: at }), to: target }
    })
    const job = { id: `job-${name}-${process.pid}-${++this.#fresh}`, entries: entries.length }
    const what = isAcross ? 'move' : kind.slice('job: '.length)
    const body = { id: job.id, kind: what, entries, ...(what !== 'delete' && { to, taken: 'number' }) }
    const run = async () => {
      await this.#did('POST', '/api/jobs', body)
      await this.#whenEnded(job.id, entries.length)
    }
    // What goes to another file system is an act that cannot be undone.
    return { kind, changes, partial: kind === 'job: delete' ? 'each' : 'copied', run, job, isAct: !isAcross }
  }

  async #whenEnded(id: string, entries: number): Promise<void> {
    let job: JobDetails | undefined
    const goesOn = async (done: number | undefined) => {
      job = JSON.parse(await this.#did('GET', `/api/jobs/${id}`)) as JobDetails
      return job.state === 'ended' || job.done !== done
    }
    // Each entry is one thing that is waited for, longer than others: the disk may be busy with what other programs write.
    const what = () => `the job goes on, and is ${job?.state} with ${job?.done} of ${entries} done`
    for (let at: number | undefined; job?.state !== 'ended'; at = job?.done) await until(() => goesOn(at), what, 3 * longestWait)
    assert.deepEqual([job?.done, job?.failures], [entries, []])
  }

  async #undo(wanted: 'undo' | 'redo'): Promise<Work | undefined> {
    const last = this.#last
    const way = last?.isUndone ? 'redo' : 'undo'
    if (!last) return undefined
    if (wanted === 'redo' && way === 'undo') {
      // Something has to be undone before it can be done again.
      if (!(await this.work('undo'))) throw new NoAnswer('the server is gone')
      return this.#undo('redo')
    }
    const id = await this.#actOf(last.key)
    const run = () => this.#did('POST', `/api/history/${id}/${way}`, {})
    return { kind: way, changes: last.undone, partial: 'copied', run, act: { id, way }, isAct: false }
  }

  /** Files in a folder, written by another program. */
  #plantFolder(count: number): string {
    const folder = this.#freshPath('d')
    for (let index = 0; index < count; index++) {
      const { content, bytes } = newContent(this.#parts.random.below(3000))
      const path = `${folder}/${index % 3 === 0 ? 'x' : 'ä b'}${index}`
      const file = join(this.#parts.root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
      this.expected.apply([{ content, to: path }])
    }
    return folder
  }

  async #ownItems(): Promise<TrashItem[]> {
    const { items } = JSON.parse(await this.#did('GET', '/api/trash?limit=1000')) as TrashList
    // The undo of an upload that made the person's own folder takes that along: it is there again by then.
    return items.filter(({ mayPurge, path }) => mayPurge && path !== `/${this.#parts.name}`)
  }

  async #acts(): Promise<Act[]> {
    return (JSON.parse(await this.#did('GET', '/api/history')) as { acts: Act[] }).acts
  }

  /** Where the disk is slow a change is answered before it is in the history. */
  async #actOf(key: string): Promise<string> {
    const find = async () => (await this.#acts()).find((act) => act.key === key)
    await until(async () => (await find()) !== undefined, `the act ${key} is listed`)
    return (await find())?.id ?? ''
  }

  async #contentOf(id: string): Promise<string> {
    const answer = await this.#send('GET', `/api/trash/raw/${id}`)
    const stamp = readStamp(Buffer.from(await answer.bytes))
    assert.ok(stamp, `the content of ${id} is whole`)
    return stamp.name
  }

  /** @returns the text of an answer that is no failure */
  async #did(method: string, address: string, body?: Buffer | object): Promise<string> {
    const { status, text } = await this.#ask(method, address, body)
    assert.ok(status < 300, `${method} ${address}: ${status} ${text}`)
    return text
  }

  async #ask(method: string, address: string, body?: Buffer | object) {
    const { status, bytes } = await this.#send(method, address, body)
    return { status, text: Buffer.from(bytes).toString() }
  }

  /** @throws NoAnswer */
  async #send(method: string, address: string, body?: Buffer | object): Promise<{ status: number; bytes: ArrayBuffer }> {
    const key = `${this.#parts.name}-${process.pid}-${++this.#fresh}`
    if (method !== 'GET') this.#key = key
    const act = { 'Holdall-Act': key }
    const content = body === undefined || body instanceof Buffer ? body : JSON.stringify(body)
    try {
      const asking = content === undefined ? {} : { body: typeof content === 'string' ? content : new Uint8Array(content) }
      const answer = await asPrincipal(this.#url, this.#parts.token, act).ask(method, address, asking)
      return { status: answer.status, bytes: await answer.arrayBuffer() }
    } catch (error) {
      // fetch throws a TypeError when a connection breaks.
      if (error instanceof TypeError) throw new NoAnswer('the server is gone', { cause: error })
      throw error
    }
  }
}
