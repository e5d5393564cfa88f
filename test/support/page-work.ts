// One person who changes files in a browser, and knows where each content is at any time, also when the browser was killed meanwhile.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import type { Act } from '../../src-server/contract/history.ts'
import { isReservedName } from '../../src-server/disk/reserved-names.ts'
import type { PrincipalCalls } from './as-principal.ts'
import { backAgain, type Change, ExpectedContents, type FoundContents, inTrash, newContent, reversed } from './contents.ts'
import { jobCalls } from './job-calls.ts'
import { goInto, pick } from './listing.ts'
import { uploadByButton } from './person.ts'
import type { SeededRandom } from './seeded-random.ts'
import { until } from './until.ts'

/** What can be done, as it is counted. */
export const pageKinds = [
  ...['upload', 'replace', 'replace a large file', 'delete a file', 'delete several', 'move', 'copy', 'move over others'],
  ...['restore', 'restore over others', 'purge', 'undo', 'redo'],
] as const
export type PageKind = (typeof pageKinds)[number]

/** Bytes of a large file: its upload takes long enough to be cut off in its middle. */
const large = 8 << 20

/** What is done in the page, and what becomes of contents when all of it is done. */
type Work = Readonly<{
  kind: PageKind
  changes: readonly Change[]
  /** Leads to the request that changes something. */
  begin(page: Page): Promise<unknown>
  /** Whether it can be undone. */
  isAct: boolean
  /** Where a file is before and after, whatever is done of it. */
  always: readonly string[]
}>

type Parts = Readonly<{
  /** The address of the server, its served folder, and a folder beside that for what is uploaded. */
  url: string
  root: string
  source: string
  calls: PrincipalCalls
  random: SeededRandom
  /** Reads what is on the disk. */
  look(): FoundContents
}>

export class PageWork {
  readonly expected = new ExpectedContents()
  /** Milliseconds from the first request to the last answer when each kind was last done. */
  readonly #took = new Map<PageKind, number>()
  readonly #parts: Parts
  #running: Work | undefined
  /** An undo or a redo that was cut off, to be continued. */
  #half: { way: PageKind; final: ReadonlyMap<string, readonly string[]> } | undefined
  #last: { undone: readonly Change[]; isUndone: boolean } | undefined
  #fresh = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Does something to its end. */
  async work(page: Page, kind: PageKind): Promise<void> {
    const work = await this.#prepare(page, kind)
    const seen = watchChanges(page)
    this.#running = work
    await work.begin(page)
    const difference = () =>
      this.#difference(
        work.changes.map(({ content }) => content),
        work.changes,
      )
    await until(
      () => seen.isOver() && difference() === undefined,
      () => `${kind} is done: ${difference()}`,
    )
    await this.#whenJobsEnd()
    this.#took.set(kind, seen.took())
    this.#isDone(work)
  }

  /**
   * Begins something, and kills the browser at a random moment after its first request was seen.
   * @returns whether the page had all answers before
   */
  async dieAmid(page: Page, kind: PageKind, kill: () => Promise<void>): Promise<boolean> {
    const work = await this.#prepare(page, kind)
    const seen = watchChanges(page)
    this.#running = work
    let isKilled = false
    const beginning = work.begin(page).catch((error: unknown) => {
      // What goes on in the page fails then.
      if (!isKilled) throw error
    })
    await Promise.race([seen.first, beginning.then(() => seen.first)])
    const delay = this.#parts.random.below(Math.ceil(this.#took.get(kind) ?? 50))
    await new Promise((resolve) => setTimeout(resolve, delay))
    const wasOver = seen.isOver()
    isKilled = true
    await kill()
    await beginning
    return wasOver
  }

  /** After a kill, when the server is at rest: everything is where it was, but for what was interrupted. */
  async compare(): Promise<{ kind: PageKind; far: 'before' | 'between' | 'after' }> {
    const work = this.#running
    assert.ok(work)
    const final = this.expected.after(work.changes)
    const { where } = this.#parts.look()
    const known = new Set([...this.expected.contents(), ...work.changes.map(({ content }) => content)])
    const unknown = [...where.keys()].filter((content) => !known.has(content))
    assert.deepEqual(unknown, [], 'nothing is there that was removed for good')
    // Files that are new come one by one.
    const areNew = work.changes.length > 1 && work.changes.every(({ from }) => from === undefined)
    const isOne = !areNew && work.changes.length <= 2
    const far = this.expected.compare(where, work.changes, isOne ? 'whole' : 'each')
    for (const path of work.always) assert.ok(existsSync(join(this.#parts.root, path)), `${path} is there`)
    this.#running = undefined
    this.#last = undefined
    const begun = (await this.#acts()).find((act) => act.begun)?.begun
    if (begun === undefined) return { kind: work.kind, far }
    assert.equal(begun, work.kind, 'what is half undone is what was interrupted')
    this.#half = { way: begun, final }
    return { kind: work.kind, far }
  }

  /** Another browser continues an undo that was cut off. */
  async goOn(page: Page): Promise<void> {
    if (!this.#half) return
    const { way, final } = this.#half
    const seen = watchChanges(page)
    await press(page, way)
    for (const [content, locations] of final) this.expected.set(content, locations)
    await until(
      // All files may have been in place before it was cut off, and what goes on is not shown as begun: only its answer is its end.
      async () =>
        seen.isOver() && this.#difference([...final.keys()]) === undefined && (await this.#acts()).every(({ begun }) => !begun),
      () => `the ${way} is continued: ${this.#difference([...final.keys()])}`,
    )
    this.#half = undefined
  }

  /** Removes all of it, so that a long run does not become slower and slower. */
  async clearIfLarge(): Promise<void> {
    if (this.#half || [...this.expected.contents()].length < 150) return
    const { calls, root } = this.#parts
    assert.ok((await calls.ask('DELETE', '/api/trash', { body: JSON.stringify({ all: true }) })).ok)
    for (const { content, at } of [...this.expected.at(inTrash('/')), ...this.expected.at('/')])
      this.expected.apply([{ content, from: at }])
    for (const name of readdirSync(root)) if (!isReservedName(name)) rmSync(join(root, name), { recursive: true })
  }

  async #whenJobsEnd() {
    const { list } = jobCalls(this.#parts.calls)
    await until(async () => (await list()).every(({ state }) => state === 'ended'), 'the jobs have ended')
  }

  /**
   * What is not where it should be when some changes are done. Entries of a trash are there without information for a moment, so that
   * looking may fail before.
   */
  #difference(contents: readonly string[], changes: readonly Change[] = []): string | undefined {
    try {
      const { where } = this.#parts.look()
      const after = this.expected.after(changes)
      for (const content of contents) {
        const locations = after.get(content) ?? this.expected.of(content)
        assert.deepEqual([...(where.get(content) ?? [])].sort(), [...locations].sort(), content)
      }
      return undefined
    } catch (error) {
      return String(error)
    }
  }

  #isDone({ kind, changes, isAct }: Work) {
    this.#running = undefined
    this.expected.apply(changes)
    if (isAct) this.#last = { undone: reversed(changes), isUndone: false }
    else if ((kind === 'undo' || kind === 'redo') && this.#last)
      this.#last = { undone: backAgain(changes), isUndone: kind === 'undo' }
    else this.#last = undefined
  }

  async #prepare(page: Page, kind: PageKind): Promise<Work> {
    if (kind === 'undo' || kind === 'redo') return this.#undo(page, kind)
    const { url, random } = this.#parts
    const folder = `/w${++this.#fresh}`
    const count = kind.startsWith('delete a') || kind.endsWith('large file') ? 1 : 2 + random.below(9)
    const names = Array.from({ length: count }, (_, index) => `${index % 3 === 0 ? 'x' : 'ä b'}${index}.txt`)
    const size = kind === 'replace a large file' ? large : 1 + random.below(20_000)
    const open = (address: string) => page.goto(url + address).then(() => page.locator('[data-entry]').first().waitFor())
    const work = await this.#inFolder(kind, { folder, names, size, open })
    return { kind, always: [], isAct: kind !== 'purge', ...work }
  }

  async #inFolder(kind: PageKind, at: { folder: string; names: readonly string[]; size: number; open: Open }): Promise<Doing> {
    switch (kind) {
      case 'upload':
      case 'replace':
      case 'replace a large file':
        return this.#upload(at, kind !== 'upload')
      case 'delete a file':
      case 'delete several':
        return this.#delete(at)
      case 'move':
      case 'copy':
      case 'move over others':
        return this.#paste(at, kind)
      default:
        return this.#ofTrash(at, kind)
    }
  }

  /** Files in a folder, written by another program. @returns their contents */
  #plant(folder: string, names: readonly string[], size = 100): string[] {
    return names.map((name) => {
      const { content, bytes } = newContent(size)
      const path = `${folder}/${name}`
      const file = join(this.#parts.root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
      this.expected.apply([{ content, to: path }])
      return content
    })
  }

  async #upload({ folder, names, size, open }: At, isReplacing: boolean): Promise<Doing> {
    // What is uploaded into an empty folder has nothing to be waited for.
    const there = isReplacing ? this.#plant(folder, names) : []
    if (!isReplacing) this.#plant(folder, ['before.txt'])
    const source = join(this.#parts.source, folder)
    mkdirSync(source, { recursive: true })
    const changes = names.flatMap((name, index) => {
      const { content, bytes } = newContent(size)
      writeFileSync(join(source, name), bytes)
      const [path, old] = [`${folder}/${name}`, there[index]]
      return [...(old === undefined ? [] : [{ content: old, from: path, to: inTrash(path) }]), { content, to: path }]
    })
    await open(`/files${folder}/`)
    const files = names.map((name) => join(source, name))
    const begin = async (page: Page) => {
      await uploadByButton(page, files)
      if (isReplacing) await answer(page, 'Replace', names.length)
    }
    return { changes, begin, always: isReplacing ? names.map((name) => `${folder}/${name}`) : [] }
  }

  async #delete({ folder, names, open }: At): Promise<Doing> {
    const contents = this.#plant(folder, names)
    const changes = names.map((name, index) => {
      const path = `${folder}/${name}`
      return { content: contents[index] ?? '', from: path, to: inTrash(path) }
    })
    await open(`/files${folder}/`)
    const begin = async (page: Page) => {
      await chooseAll(page, names)
      await page.keyboard.press('Delete')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    }
    return { changes, begin }
  }

  async #paste({ folder, names, open }: At, kind: PageKind): Promise<Doing> {
    const contents = this.#plant(folder, names)
    const isOver = kind === 'move over others'
    const others = this.#plant(`${folder}/to`, isOver ? names : ['before.txt'])
    const changes = names.flatMap((name, index) => {
      const [from, to] = [`${folder}/${name}`, `${folder}/to/${name}`]
      const kept = isOver ? [{ content: others[index] ?? '', from: to, to: inTrash(to) }] : []
      return [...kept, { content: contents[index] ?? '', ...(kind !== 'copy' && { from }), to }]
    })
    await open(`/files${folder}/`)
    const begin = async (page: Page) => {
      await chooseAll(page, names)
      await page.keyboard.press(kind === 'copy' ? 'Control+c' : 'Control+x')
      await goInto(page, 'to')
      await page.keyboard.press('Control+v')
      if (isOver) await answer(page, 'Replace', names.length)
    }
    return { changes, begin, always: isOver ? names.map((name) => `${folder}/to/${name}`) : [] }
  }

  async #ofTrash({ folder, names, open }: At, kind: PageKind): Promise<Doing> {
    const contents = this.#plant(folder, names)
    const paths = names.map((name) => `${folder}/${name}`)
    for (const [index, path] of paths.entries()) {
      assert.ok((await this.#parts.calls.remove(path)).ok)
      this.expected.apply([{ content: contents[index] ?? '', from: path, to: inTrash(path) }])
    }
    const isOver = kind === 'restore over others'
    const others = isOver ? this.#plant(folder, names) : []
    const changes = paths.flatMap((path, index) => {
      const content = contents[index] ?? ''
      if (kind === 'purge') return [{ content, from: inTrash(path) }]
      const kept = isOver ? [{ content: others[index] ?? '', from: path, to: inTrash(path) }] : []
      return [...kept, { content, from: inTrash(path), to: path }]
    })
    await open(`/trash?filter=${encodeURIComponent(`"${folder}/"`)}`)
    const begin = async (page: Page) => {
      await page.locator('[data-entry]').first().focus()
      await page.keyboard.press('Control+a')
      await page.getByText(`${names.length} selected`).first().waitFor()
      const button = page.getByRole('toolbar').getByRole('button', { name: kind === 'purge' ? 'Delete for good' : 'Restore' })
      await button.first().click()
      if (kind === 'purge') await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
      if (isOver) await answer(page, 'Replace', names.length)
    }
    return { changes, begin, always: isOver ? paths : [] }
  }

  /** Something has to be done before it can be undone, and undone before it is done again. */
  async #undo(page: Page, kind: 'undo' | 'redo'): Promise<Work> {
    const before = kind === 'redo' ? 'undo' : this.#parts.random.pick(pageKinds.slice(0, pageKinds.indexOf('purge')))
    if (!this.#last || this.#last.isUndone !== (kind === 'redo')) await this.work(page, before)
    const last = this.#last
    assert.ok(last)
    await page.goto(`${this.#parts.url}/files/`)
    // Where one file takes the place of another, an undo that broke off may have put away the one alone.
    return { kind, changes: last.undone, always: [], begin: () => press(page, kind), isAct: false }
  }

  /** Those of the person, the last one first. */
  async #acts(): Promise<Act[]> {
    return ((await (await this.#parts.calls.ask('GET', '/api/history')).json()) as { acts: Act[] }).acts
  }
}

type Open = (address: string) => Promise<void>
type At = Readonly<{ folder: string; names: readonly string[]; size: number; open: Open }>
type Doing = Pick<Work, 'changes' | 'begin'> & Partial<Pick<Work, 'always'>>

/** Selects files by the pointer and the keyboard: more than these may be in the folder. */
async function chooseAll(page: Page, names: readonly string[]) {
  const [first = '', ...more] = names
  await pick(page, first, ...more)
}

async function press(page: Page, way: PageKind) {
  // It comes with what knows the key.
  await page.getByRole('meter', { name: 'Storage used' }).waitFor()
  await page
    .locator('[data-entry]')
    .or(page.getByText(/ is empty/))
    .first()
    .waitFor()
  await page.keyboard.press(way === 'undo' ? 'Control+z' : 'Control+Shift+z')
}

/** Gives one answer to the questions about names that are taken. */
async function answer(page: Page, choice: string, questions: number) {
  const dialog = page.getByRole('dialog')
  if (questions > 1) await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: choice, exact: true }).click()
}

/** Notes the requests of a page that change files, and their answers. */
function watchChanges(page: Page) {
  const open = new Set<Request>()
  const first = Promise.withResolvers<void>()
  let [began, ended] = [0, 0]
  const isOne = (request: Request) =>
    request.method() !== 'GET' && /^\/api\/(resources|jobs|trash|history)\b/.test(new URL(request.url()).pathname)
  page.on('request', (request) => {
    if (!isOne(request)) return
    if (began === 0) began = performance.now()
    open.add(request)
    first.resolve()
  })
  const end = (request: Request) => {
    if (!open.delete(request)) return
    ended = performance.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return { first: first.promise, isOver: () => began > 0 && open.size === 0, took: () => ended - began }
}
