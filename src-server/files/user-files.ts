// Everything that one principal may do with files, and the only code that calls the listeners of file events.
import { authorize } from '../access/authorize.ts'
import { type Principal, pathsOf } from '../access/principal.ts'
import { Failure } from '../base/failure.ts'
import type { Operation } from '../base/operation.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { Path } from '../base/paths.ts'
import type { BytesLeft, RoomMade } from '../base/room.ts'
import type { ItemCount, Resource, TreeSize, Usage } from '../contract/files.ts'
import type { Description, PreviewSize } from '../contract/previews.ts'
import { ArchiveSettings, completed } from '../contract/records.ts'
import type { Settings } from '../contract/settings.ts'
import type { Sorting } from '../contract/users.ts'
import type { Disk, Entry, OpenFile } from '../disk/disk.ts'
import type { Event, Events, FileAct, Source } from '../events/events.ts'
import type { Previews } from '../previews/previews.ts'
import type { Needed } from '../trash/keeping.ts'
import type { Trash, TrashSettings } from '../trash/trash.ts'
import { type Archive, type ArchiveAsked, prepareArchive } from './archive.ts'
import { type CompressHow, compress, noteCompressed } from './compress.ts'
import { actKindOf, type ChosenEntry, type DeedSink, withPaths } from './deeds.ts'
import { type ExtractHow, extract, noteExtracted } from './extract.ts'
import { itemCounts, sizeOf } from './folder-sizes.ts'
import { ensureFolder } from './folders.ts'
import { FolderFollowing } from './following.ts'
import { freeNameFor, untilFree } from './free-name.ts'
import { Listing } from './listing.ts'
import { OwnDeeds } from './own-deeds.ts'
import { OwnTrash, type OwnTrashParts } from './own-trash.ts'
import {
  type Described,
  describePicture,
  type FoundPicture,
  findPicture,
  foundPicture,
  mayDescribe,
  type PreviewParts,
  previewVersion,
  type ShownPreview,
} from './previewing.ts'
import { FileReading, type Found, type ReadHow } from './reading.ts'
import { replacedAs } from './replaced.ts'
import { Resuming } from './resume.ts'
import { type FoundResults, searchBelow } from './search-below.ts'
import { checkStaying, copyStep, existing, moveStep, type RemoveHow, remove, type Step, type TransferHow } from './steps.ts'
import { entryAt, type FileContext } from './walk.ts'
import { type WorkingFolder, workingFolder } from './working-folder.ts'
import { FileWriting, type UploadHow } from './writing.ts'

export type { Archive, Described, Entry, Found, FoundPicture, FoundResults, OpenFile, ReadHow, ShownPreview }
export { Listing, previewVersion }

export type UserFilesParts = {
  principal: Principal
  /** The disk below the principal's scope and base. */
  disk: Disk
  events: Events
  operation: Operation
  source: Source
  previews: Previews
  /** The user's setting. */
  sorting: Sorting
  /** '' is the server's own. */
  locale: string
  /** What was deleted and replaced; without it, it is gone for good. */
  trash?: TrashAccess | undefined
  /** See `WritingParts`. */
  revalidate?(): void
  /** What an archive may hold that is extracted; by default as in new settings. */
  archiveLimits?: Settings['archives'] | undefined
  /** Keeps what is changed with an act, so that it can be undone. */
  deeds?: DeedSink | undefined
}

/** The trash of the server, and how this person uses it. */
export type TrashAccess = Readonly<{
  trash: Trash
  settings: TrashSettings
  dueAt: OwnTrashParts['dueAt']
  isUser: OwnTrashParts['isUser']
  /** See `Keeping.makeRoom`. */
  makeRoom(path: Path, needed: Needed): Promise<RoomMade>
  /** See `Keeping.reserve`. */
  reserve(path: Path, writer: number, left: BytesLeft): () => void
}>

type Body = AsyncIterable<Uint8Array>

export class UserFiles {
  readonly #principal: Principal
  readonly #disk: Disk
  readonly #events: Events
  readonly #source: Source
  readonly #context: FileContext
  readonly #operation: Operation
  readonly #reading: FileReading
  readonly #previewing: PreviewParts
  readonly #writing: FileWriting
  readonly #deeds: DeedSink | undefined
  readonly #trash: TrashAccess | undefined
  #ownTrash: OwnTrash | undefined
  readonly #locale: string
  readonly #archiveLimits: Settings['archives']
  /** For those who follow a folder. */
  readonly following: FolderFollowing

  constructor(parts: UserFilesParts) {
    const { principal, disk, events, operation, source, previews, sorting, locale, revalidate, trash, deeds, archiveLimits } =
      parts
    this.#principal = principal
    this.#deeds = deeds
    const { userId: id, name } = principal
    ;[this.#trash, this.#locale, this.#archiveLimits] = [trash, locale, archiveLimits ?? completed(ArchiveSettings, {})]
    this.#context = {
      ...{ principal, disk, signal: operation.signal, report: (progress) => operation.report(progress) },
      transferred: (bytes, name) => operation.transferred(bytes, name),
      replacedAs: replacedAs(principal, source),
      ...(trash?.settings.isOn && { trash: { trash: trash.trash, person: { id, name }, largest: trash.settings.percent / 200 } }),
    }
    const isWanted = () => !operation.signal.aborted
    const roomFor: FileContext['makeRoom'] =
      trash && ((path, needed) => trash.makeRoom(pathsOf(principal, path).served, { ...needed, writer: id, isWanted }))
    const reserve: FileContext['reserve'] = trash && ((path, left) => trash.reserve(pathsOf(principal, path).served, id, left))
    this.#context = { ...this.#context, makeRoom: roomFor, reserve }
    this.#operation = operation
    this.#disk = disk
    this.#events = events
    this.#source = source
    this.#previewing = { principal, disk, operation, previews }
    this.following = new FolderFollowing(this.#context)
    this.#writing = new FileWriting({
      ...{
        context: this.#context,
        isAct: source.actKey !== undefined,
        revalidate,
        announce: (...asked) => this.#announce(...asked),
      },
      ask: (act) => this.#events.ask(this.#eventOf(this.#served(act)), operation.signal),
      tellFailed: (act, error) => this.#events.tellFailed(this.#eventOf(this.#served(act)), error),
    })
    const noTrash = async (folder: Path) => {
      if (!trash?.settings.isOn) return trash && 'off'
      return disk.noTrash(authorize(principal, 'read', folder), trash.trash.ownerOf(id), operation.signal)
    }
    this.#reading = new FileReading({ principal, disk, operation, sorting, locale, noTrash })
  }

  /** The entry at a path, which need not be read when the client has its version. @throws Failure('notFound' | 'forbidden') */
  find(path: Path): Promise<Found> {
    return this.#reading.find(path)
  }

  /** The same, read at once. @throws Failure('notFound' | 'forbidden' | 'invalid') */
  async open(path: Path, how?: ReadHow): Promise<Resource> {
    const found = await (await this.find(path)).read(how)
    return found instanceof Listing ? found.whole() : found
  }

  /** An open file for sending, which the operation closes; undefined for a folder. @throws Failure('notFound' | 'forbidden') */
  openForRaw(path: Path): Promise<OpenFile | undefined> {
    return this.#reading.openForRaw(path)
  }

  /** What a query finds below a folder, as it is found. @throws Failure('invalid' | 'forbidden') */
  search(folder: Path, query: string): Promise<AsyncIterable<FoundResults>> {
    return searchBelow(this.#context, folder, query)
  }

  /** An archive that is packed while it is sent. @throws Failure('notFound' | 'forbidden' | 'invalid') before anything is packed */
  archive(asked: ArchiveAsked): Promise<Archive> {
    return prepareArchive(this.#context, this.#operation, asked)
  }

  /** Makes an archive in a file. @throws as `compress` does */
  compress(to: Path, how: CompressHow): Promise<void> {
    return compress(this.#compressing, to, how)
  }

  /** Notes an archive that was made before the work broke off, which does not go on. @returns whether it was */
  endCompress(to: Path, how: Pick<CompressHow, 'sources' | 'sealedBefore'>): Promise<boolean> {
    return noteCompressed(this.#compressing, to, how)
  }

  get #compressing() {
    const note = (act: FileAct, work: Step['run']) => this.#noting(this.#served(act), work)
    return { context: this.#context, operation: this.#operation, writing: this.#writing, note }
  }

  /** Notes what was extracted before the work broke off, which does not go on. @returns whether something was */
  endExtract(from: Path, before: NonNullable<ExtractHow['before']>): Promise<boolean> {
    return noteExtracted({ context: this.#context, note: (act, work) => this.#noting(this.#served(act), work) }, from, before)
  }

  /** Extracts an archive into a folder. @throws as `extract` does */
  extract(from: Path, folder: Path, how: ExtractHow): Promise<void> {
    const parts = {
      ...{ context: this.#context, operation: this.#operation, limits: this.#archiveLimits },
      ask: (act: FileAct) => this.#events.ask(this.#eventOf(this.#served(act)), this.#operation.signal),
      tellFailed: (act: FileAct, error: unknown) => this.#events.tellFailed(this.#eventOf(this.#served(act)), error),
      announce: <T>(act: FileAct, work: (context: FileContext) => Promise<T>) => this.#announce(act, work),
      note: (act: FileAct, work: Step['run']) => this.#noting(this.#served(act), work),
    }
    return extract(parts, from, folder, how)
  }

  /** A picture of which a preview can be made. @throws Failure('notFound' | 'forbidden' | 'unsupported' | 'tooLarge') */
  findPicture(path: Path, size: PreviewSize): Promise<FoundPicture> {
    return findPicture(this.#previewing, path, size)
  }

  /** The same of a file in the trash, by its id there. @throws as `findPicture` */
  async findTrashedPicture(id: string, size: PreviewSize): Promise<FoundPicture> {
    // Many wait for their turn, and those keep no file open.
    const entry = await this.trash.entryOf(id)
    return foundPicture(this.#previewing, { entry, identity: `trash/${id}`, size, open: () => this.trash.openBriefly(id) })
  }

  /** Whether `describe` may find something. */
  mayDescribe(entry: Entry): boolean {
    return mayDescribe(this.#previewing, entry)
  }

  /** What a picture says about itself; nothing when it cannot be decoded. @throws Failure('notFound' | 'forbidden' | 'busy') */
  describe(entry: Entry, wanted: Described): Promise<Description> {
    return describePicture(this.#previewing, entry, wanted)
  }

  /** @throws Failure('notFound' | 'forbidden') */
  async usage(path: Path): Promise<Usage> {
    const { isDir } = await existing(this.#context, path)
    if (!isDir) return { total: 0, used: 0 }
    const { total, free } = await this.#disk.usage(authorize(this.#principal, 'read', path), this.#context.signal)
    return { total, used: total - free }
  }

  /** Counts what is below a folder; of a file its own size. @param onCount called now and then @throws Failure('notFound') */
  async size(path: Path, onCount: (counted: TreeSize) => void): Promise<TreeSize> {
    return sizeOf(this.#context, await existing(this.#context, path), onCount)
  }

  /** How many entries some folders in a folder have, where that is cheap to know. @throws Failure('notFound' | 'invalid') */
  itemCounts(folder: Path, names: readonly string[]): Promise<ItemCount[]> {
    return itemCounts(this.#context, folder, names)
  }

  /**
   * Writes a new file, and the folders above it that are missing. The file appears whole or not at all.
   * @throws Failure('conflict') when the name is taken and `override` is false, or by a folder, Failure('changed') when `condition`
   *   does not hold; the body is then unread
   */
  upload(path: Path, body: Body, how: UploadHow): Promise<Entry> {
    return this.#writing.upload(path, body, how)
  }

  /** Replaces the content of a file. @throws Failure('notFound'), Failure('conflict') for a folder, Failure('changed') */
  save(path: Path, body: Body, how: Omit<UploadHow, 'override'> = {}): Promise<Entry> {
    return this.#writing.save(path, body, how)
  }

  /** Writes the content of unfinished uploads. */
  get writing(): FileWriting {
    return this.#writing
  }

  /** Makes a folder and those above it; one that exists is fine. @throws Failure('conflict') when a file is in the way */
  async makeFolder(path: Path): Promise<void> {
    authorize(this.#principal, 'create', path)
    const taken = await entryAt(this.#context, path)
    if (taken?.isDir) return
    if (taken) throw new Failure('conflict', 'a file is in the way')
    await this.#announce({ kind: 'upload', path, isDir: true }, (context) => ensureFolder(context, path))
  }

  /** Makes a folder in one that is there. @throws Failure('conflict') when the name is taken */
  async makeNewFolder(path: Path): Promise<void> {
    const capability = authorize(this.#principal, 'create', path)
    await this.#announce({ kind: 'upload', path, isDir: true }, ({ disk, signal }) =>
      disk.makeFolder(capability, undefined, signal),
    )
  }

  /** @returns the id in the trash, when it is there @throws as `removeStep` does */
  remove(path: Path, how?: RemoveHow): Promise<string | undefined> {
    return remove(this.#context, path, { ...how, run: (step) => this.#run(step) })
  }

  /** What this person may see in the trash. @throws Failure('notFound') where there is none */
  get trash(): OwnTrash {
    if (!this.#trash) throw new Failure('notFound', 'there is no trash')
    const { trash, settings, dueAt, isUser } = this.#trash
    // What would go may be what is to be put back next.
    const { makeRoom: _, ...context } = this.#context
    const announce: OwnTrashParts['announce'] = (act, work) => this.#announce(act, ({ makeRoom: _, ...doing }) => work(doing))
    const [operation, source, locale] = [this.#operation, this.#source, this.#locale]
    this.#ownTrash ??= new OwnTrash({ context, operation, source, trash, settings, dueAt, locale, isUser, announce })
    return this.#ownTrash
  }

  /** @throws Failure('conflict') when the target is taken and neither flag is set, Failure('invalid') for a folder into itself */
  copy(from: Path, to: Path, how: TransferHow): Promise<void> {
    return untilFree(how.rename, async () => this.#run(await copyStep(this.#context, from, to, how)))
  }

  /** Missing folders of the target are created. @throws as copy does */
  async move(from: Path, to: Path, how: TransferHow): Promise<void> {
    if (from === to && how.override && !how.rename) return checkStaying(this.#context, from)
    await untilFree(how.rename, async () => this.#run(await moveStep(this.#context, from, to, how)))
  }

  /** The entry itself, of which nothing is read; undefined when there is none. @throws Failure('forbidden') */
  look(path: Path): Promise<Entry | undefined> {
    return entryAt(this.#context, path)
  }

  /** A free name beside a taken one: `a(1).txt`. @param isChosen whether something else is about to get it */
  freeName(path: Path, isChosen: (path: Path) => boolean): Promise<Path> {
    return freeNameFor(this.#context, path, isChosen)
  }

  /** Goes on with what broke off. */
  get resuming(): Resuming {
    const note = <T>(act: FileAct, work: (context: FileContext) => Promise<T>) => this.#noting(this.#served(act), work)
    return new Resuming({ context: this.#context, run: (step) => this.#run(step), note })
  }

  async #run({ act, run, learned }: Step): Promise<void> {
    await this.#announce(act, run, learned)
  }

  get userId(): number {
    return this.#principal.userId
  }

  /** Takes back what this person has changed, or makes it again. */
  get deeds(): OwnDeeds {
    // How far a single change is says nothing of the whole, and the next changes may need what would go to make room.
    const { report: _, makeRoom: __, ...context } = this.#context
    return new OwnDeeds({
      context,
      trash: this.#trash?.trash,
      putBack: (...asked) => this.trash.putBack(...asked),
      announce: (act, work) => this.#announce(act, work),
      folders: this.#deeds,
    })
  }

  /** A folder in which commands run. @throws Failure('forbidden' | 'notFound' | 'invalid') */
  workingFolder(path: Path): Promise<WorkingFolder> {
    return workingFolder(this.#context, path)
  }

  /** @param act gets the paths in the principal's scope */
  #announce<T>(act: FileAct, work: (context: FileContext) => Promise<T>, learned?: (result: T) => Partial<FileAct>): Promise<T> {
    if (act.kind !== 'save') this.#trash?.trash.saves.stop(this.#principal.userId)
    const served = this.#served(act)
    const doing = () => this.#noting(served, work)
    return this.#events.around(this.#eventOf(served), doing, learned, this.#context.signal)
  }

  #eventOf(served: FileAct): Event {
    const { userId: id, name } = this.#principal
    return { ...served, by: { id, name }, ...this.#source }
  }

  #served(act: FileAct): FileAct {
    const served = (path: Path) => pathsOf(this.#principal, path).served
    return { ...act, path: served(act.path), ...(act.to !== undefined && { to: served(act.to) }) }
  }

  /** Does what changes something with a context that takes the changes. What was changed before a failure counts too. */
  async #noting<T>(act: FileAct, work: (context: FileContext) => Promise<T>): Promise<T> {
    const { actKey, way } = this.#source
    const sink = this.#deeds
    if (!sink || actKey === undefined) return work(this.#context)
    const { userId } = this.#principal
    const chosen: ChosenEntry = { userId, actKey, way, kind: actKindOf(act), path: act.to ?? act.path }
    const served = (path: Path) => pathsOf(this.#principal, path).served
    const note: FileContext['note'] = (change, isAgain) => sink.note(chosen, withPaths(change, served), isAgain)
    // The change stands. One second is enough, unless what is beside the state is on a disk that does not answer.
    const kept = () => orAborted(sink.kept(chosen), AbortSignal.timeout(1000)).catch(() => {})
    try {
      return await this.#disk.batch((noting) => work({ ...this.#context, note, noting, ...(way === 'job' && { kept }) }))
    } finally {
      await kept()
    }
  }
}
