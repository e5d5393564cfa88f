import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { checkFor } from '../base/checks.ts'
import { SerialQueue } from '../base/serial-queue.ts'
import { type DiskSystem, diskSystem } from '../disk/system.ts'
import { besideState } from './beside-state.ts'
import { ActHead, DeedLine, type HistoryStore, Remade, wasMade, withLines } from './history-store.ts'
import { Log } from './log.ts'
import { makeFolderBeside, namesIn } from './stored-files.ts'

type HistoryFilesOptions = Readonly<{ stateFile: string; system?: DiskSystem }>

/** Changes of an act that stand in the log of the person; what follows has a file of its own. */
const mostInLog = 20
/** Lines without use, after which a log is written anew. */
const mostUnused = 200
/** People whose acts are in memory: those of others are read again. */
const mostKnown = 200
/** Files that are kept open. */
const mostOpen = 16

const OwnedLine = Type.Object({ ...DeedLine.properties, of: Type.String() })
/** A head, the end of an act, or a change of an act. */
const Line = Type.Union([ActHead, Type.Object({ gone: Type.String() }), OwnedLine])
type Line = Static<typeof Line>
type OwnedLine = Static<typeof OwnedLine>

/** Folders made again that are remembered, and the file of them. */
const [mostRemade, remadeFile] = [1000, 'folders.log']

const isRemade = (value: unknown): value is Remade => Value.Check(Remade, value)
const isOwned = (line: Line): line is OwnedLine => 'of' in line
const isLine = checkFor(Line)

/** What is in memory of a person. */
type PersonActs = { readonly heads: Map<string, ActHead>; lines: number }

/** The folder `<state>.history/`: `<user>.log` with the acts of a person, `<user>-<act>.log` with the many changes of one. */
export class HistoryFiles implements HistoryStore {
  readonly #folder: string
  readonly #system: DiskSystem
  readonly #queue = new SerialQueue()
  readonly #known = new Map<number, Promise<PersonActs>>()
  readonly #open = new Map<string, Log<Line>>()
  /** By person: long acts whose files a power failure may cut. */
  readonly #unsynced = new Map<number, Set<string>>()
  /** People who are deleted: what ends later is not kept. */
  readonly #removed = new Set<number>()
  readonly #remadeLog: Log<Remade>
  #remade: Remade[] = []
  #isMade = false

  constructor({ stateFile, system = diskSystem }: HistoryFilesOptions) {
    this.#folder = besideState(stateFile, 'history')
    this.#system = system
    this.#remadeLog = new Log(join(this.#folder, remadeFile), { isEntry: isRemade, system })
  }

  async open(users: readonly number[]): Promise<readonly Remade[]> {
    const there = new Set(users.map(String))
    for (const name of await namesIn(this.#folder)) {
      const isTemporary = /\.tmp-[0-9a-f]{32}$/.test(name)
      const [user] = /^\d+/.exec(name) ?? []
      if (isTemporary || (user !== undefined && !there.has(user))) await this.#unlink(name)
    }
    this.#remade = await this.#remadeLog.readLater()
    return [...this.#remade]
  }

  async heads(userId: number): Promise<readonly ActHead[]> {
    const { heads } = await this.#of(userId)
    return [...heads.values()].sort((one, other) => one.number - other.number)
  }

  setHead(head: ActHead, isDurable: boolean): Promise<void> {
    return this.#with(head.userId, async (known) => {
      const before = known.heads.get(head.id)
      known.heads.set(head.id, head)
      try {
        await this.#add(head.userId, known, [head], isDurable)
      } catch (error) {
        if (before) known.heads.set(head.id, before)
        else known.heads.delete(head.id)
        throw error
      }
    })
  }

  growHead(head: ActHead): Promise<void> {
    return this.#with(head.userId, async ({ heads }) => void heads.set(head.id, head))
  }

  append(head: ActHead, lines: readonly DeedLine[]): Promise<void> {
    const { userId, id } = head
    const owned = lines.map((line) => ({ of: id, ...line }))
    const [first, rest] = [owned.filter(({ deed }) => deed < mostInLog), owned.filter(({ deed }) => deed >= mostInLog)]
    return this.#with(userId, async (known) => {
      if (first.length > 0) await this.#add(userId, known, first, false)
      if (rest.length > 0 && !this.#removed.has(userId)) await this.#appendLong(userId, id, rest)
    })
  }

  deeds(userId: number, ids: readonly string[], isShort = false): Promise<ReadonlyMap<string, readonly DeedLine[]>> {
    return this.#with(userId, async ({ heads }) => {
      const found = new Map(ids.map((id) => [id, new Map<number, DeedLine>()]))
      if (ids.length === 0) return new Map()
      for (const line of await this.#logOf(`${userId}.log`).readLater()) {
        if ('of' in line) found.get(line.of)?.set(line.deed, withoutOwner(line))
      }
      for (const [id, deeds] of found) {
        if (!isShort && (heads.get(id)?.deeds ?? 0) > mostInLog) await this.#readLong(`${userId}-${id}.log`, deeds)
      }
      return new Map([...found].map(([id, deeds]) => [id, [...deeds.values()].sort((one, other) => one.deed - other.deed)]))
    })
  }

  remove(userId: number, id: string): Promise<void> {
    return this.#with(userId, async (known) => {
      const isLong = (known.heads.get(id)?.deeds ?? 0) > mostInLog
      if (!known.heads.delete(id)) return
      const isUnsynced = this.#unsynced.get(userId)?.delete(id)
      await this.#add(userId, known, [{ gone: id }], false)
      if (isLong || isUnsynced) await this.#unlink(`${userId}-${id}.log`)
    })
  }

  removePerson(userId: number): Promise<void> {
    return this.#queue.run(async () => {
      this.#removed.add(userId)
      this.#known.delete(userId)
      this.#unsynced.delete(userId)
      for (const name of await namesIn(this.#folder)) {
        if (/^\d+/.exec(name)?.[0] === String(userId)) await this.#unlink(name)
      }
    }, String(userId))
  }

  async addRemade(remade: Remade): Promise<void> {
    await this.#makeFolder()
    this.#remade.push(remade)
    if (this.#remade.length <= 2 * mostRemade) return this.#remadeLog.append(remade)
    this.#remade = this.#remade.slice(-mostRemade)
    await this.#remadeLog.replace(this.#remade)
  }

  async close(): Promise<void> {
    await this.#remadeLog.close()
    await Promise.all([...this.#open.values()].map((log) => log.close()))
    this.#open.clear()
  }

  /** In order for each person, so that nothing is added to a log that is being written anew. */
  #with<T>(userId: number, work: (known: PersonActs) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => work(await this.#load(userId)), String(userId))
  }

  #of(userId: number): Promise<PersonActs> {
    return this.#with(userId, async (known) => known)
  }

  #load(userId: number): Promise<PersonActs> {
    const loading = this.#known.get(userId) ?? this.#read(userId)
    this.#known.delete(userId)
    this.#known.set(userId, loading)
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest)
    loading.catch(() => this.#known.delete(userId))
    return loading
  }

  async #read(userId: number): Promise<PersonActs> {
    const heads = new Map<string, ActHead>()
    const lines = await this.#logOf(`${userId}.log`).readLater()
    for (const line of lines) {
      if ('gone' in line) heads.delete(line.gone)
      else if (!('of' in line)) heads.set(line.id, line)
    }
    const changes = Map.groupBy(lines.filter(isOwned), ({ of }) => of)
    const long = await this.#longActs(userId, heads)
    for (const [id, head] of heads) {
      // Of an act that has ended the head says it.
      const isCut = long.has(id) && head.isOpen
      const more = isCut ? (await this.#logOf(`${userId}-${id}.log`).readLater()).filter(isOwned) : []
      const now = caughtUp(head, [...(changes.get(id) ?? []), ...more], long.has(id) ? mostInLog : 0)
      // A file that was made for changes, and holds none, has lost them: its disk was full.
      heads.set(id, isCut && more.length === 0 ? { ...now, isTooLarge: true } : now)
      if (isCut) this.#mustSync(userId, id)
    }
    return { heads, lines: lines.length }
  }

  /** Those of which the many changes have a file of their own. Such files of others are removed. */
  async #longActs(userId: number, heads: Pick<ReadonlyMap<string, unknown>, 'has'>): Promise<ReadonlySet<string>> {
    const long = new Set<string>()
    for (const name of await namesIn(this.#folder)) {
      const [, user, id = ''] = /^(\d+)-(\w+)\.log$/.exec(name) ?? []
      if (user !== String(userId)) continue
      if (heads.has(id)) long.add(id)
      else await this.#unlink(name)
    }
    return long
  }

  async #add(userId: number, known: PersonActs, lines: readonly Line[], isDurable: boolean) {
    if (this.#removed.has(userId)) return
    const name = `${userId}.log`
    const cut = isDurable ? await this.#syncLong(userId, known, lines) : []
    await this.#append(name, [...cut, ...lines], isDurable)
    known.lines += cut.length + lines.length
    const heads = [...known.heads.values()]
    const living = heads.reduce((sum, { deeds }) => sum + 1 + Math.min(deeds, mostInLog), 0)
    if (known.lines <= 2 * living + mostUnused) return
    try {
      await this.#syncLong(userId, known, lines)
      const kept = this.#living(known, await this.#logOf(name).readLater())
      await this.#logOf(name).replace(kept)
      known.lines = kept.length
    } catch {
      // The lines are there, which is what was asked for: it is tried again after as many more.
      known.lines -= mostUnused
    }
  }

  #living({ heads }: PersonActs, lines: readonly Line[]): Line[] {
    const first = new Map<string, Line>()
    for (const line of lines) if ('of' in line && heads.has(line.of)) first.set(`${line.of} ${line.deed}`, line)
    return [...heads.values(), ...first.values()]
  }

  async #readLong(name: string, deeds: Map<number, DeedLine>) {
    const log = this.#logOf(name)
    const lines = (await log.readLater()).filter((line) => 'of' in line)
    const rest = new Map(lines.map((line) => [line.deed, line]))
    if (lines.length > 2 * rest.size + mostUnused) await log.replace([...rest.values()])
    for (const [deed, line] of rest) deeds.set(deed, withoutOwner(line))
  }

  async #appendLong(userId: number, id: string, lines: readonly Line[]) {
    this.#mustSync(userId, id)
    await this.#append(`${userId}-${id}.log`, lines, false)
  }

  #mustSync(userId: number, id: string) {
    const unsynced = this.#unsynced.get(userId) ?? new Set()
    this.#unsynced.set(userId, unsynced.add(id))
  }

  /**
   * Heads that last tell how many changes there are: these must not last less.
   * @param lines that are added next @returns heads of other acts whose changes cannot be made to last @throws for the acts of `lines`
   */
  async #syncLong(userId: number, { heads }: PersonActs, lines: readonly Line[]): Promise<ActHead[]> {
    const cut: ActHead[] = []
    for (const id of this.#unsynced.get(userId) ?? []) {
      const syncing = this.#logOf(`${userId}-${id}.log`).sync()
      await syncing.catch((error: unknown) => {
        const head = heads.get(id)
        if (lines.some((line) => 'id' in line && line.id === id)) throw error
        if (head) cut.push({ ...head, isTooLarge: true })
        for (const one of cut) heads.set(one.id, one)
      })
      this.#unsynced.get(userId)?.delete(id)
    }
    this.#unsynced.delete(userId)
    return cut
  }

  async #append(name: string, lines: readonly Line[], isDurable: boolean) {
    await this.#makeFolder()
    const log = this.#logOf(name)
    // They share one write.
    await Promise.all(lines.map((line, index) => log.append(line, isDurable && index === lines.length - 1)))
  }

  async #makeFolder() {
    if (!this.#isMade) await makeFolderBeside(this.#system, this.#folder)
    this.#isMade = true
  }

  /** Its file stays open until many others are. */
  #logOf(name: string): Log<Line> {
    const log = this.#open.get(name) ?? new Log(join(this.#folder, name), { isEntry: isLine, system: this.#system })
    this.#open.delete(name)
    this.#open.set(name, log)
    for (const [other, oldest] of this.#open) {
      if (this.#open.size <= mostOpen) break
      this.#open.delete(other)
      oldest.close().catch(() => {})
    }
    return log
  }

  async #unlink(name: string) {
    await this.#open.get(name)?.close()
    this.#open.delete(name)
    await this.#system.unlink(join(this.#folder, name)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
  }
}

/** The head of an act that was going on may be older than its changes. @param least how many changes it has at least */
function caughtUp(head: ActHead, changes: readonly OwnedLine[], least: number): ActHead {
  const behind = new Map(changes.filter(({ deed }) => deed >= head.deeds).map((line) => [line.deed, line]))
  for (const [deed, line] of behind) if (!wasMade(line)) behind.delete(deed)
  const deeds = [...behind.keys()].reduce((most, deed) => Math.max(most, deed + 1), Math.max(head.deeds, least))
  return { ...withLines(head, [...behind.values()]), deeds }
}

function withoutOwner({ of: _, ...line }: OwnedLine): DeedLine {
  return line
}
