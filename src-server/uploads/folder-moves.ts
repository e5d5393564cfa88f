// Unfinished uploads go with the folders that they are in, also where a kill comes amid a move, or several folders are moved at once.
import { type Path, parentOf } from '../base/paths.ts'
import type { UploadRecord } from '../state/upload-store.ts'
import type { Upload } from './upload.ts'

export type FolderMovesParts = Readonly<{
  /** All uploads. */
  uploads(): Iterable<Upload>
  /** Whether the content of an upload is where its record says. */
  isThere(record: UploadRecord): Promise<boolean>
  report(error: unknown): void
}>

/** `ends`: where it goes, and where that went meanwhile. Paths are those of the served root. */
type Move = Readonly<{ from: Path; ends: string[] }>

/** Told whether it was done. One that has failed may have moved folders in it. */
type EndMove = (isDone: boolean) => Promise<void>

export class FolderMoves {
  readonly #parts: FolderMovesParts
  readonly #moves = new Set<Move>()
  /** Folders that are going into the trash, or out of it. */
  readonly #passing = new Set<Readonly<{ path: Path }>>()

  constructor(parts: FolderMovesParts) {
    this.#parts = parts
  }

  /** Whether a folder above a path is being moved: nothing in it is known to be gone. */
  isMoving(path: string): boolean {
    return [...this.#moves].some(({ from }) => isBelow(path, from))
  }

  /** Whether a folder above a path is being moved, or goes into the trash or out of it: what is in it may be on either side. */
  isPassing(path: string): boolean {
    return this.isMoving(path) || [...this.#passing].some((one) => isBelow(path, one.path))
  }

  /** To be called before a folder goes into the trash, or out of it. @returns to be called when it is there */
  passTrash(path: Path): () => void {
    const one = { path }
    this.#passing.add(one)
    return () => void this.#passing.delete(one)
  }

  /** To be called before a folder is moved. What is in the trash with an earlier folder of that path stays with that. */
  begin(from: Path, to: Path): Promise<EndMove> {
    return this.#begin({ from, ends: [to] }, (isAtPath) => isAtPath)
  }

  /** The same before a folder comes out of the trash under another path. Another folder may have the earlier one by now. */
  beginRestore(from: Path, to: Path): Promise<EndMove> {
    return this.#begin({ from, ends: [to] }, (isAtPath) => !isAtPath)
  }

  /** Finds out where an upload is of whose folder a move was broken off by the end of the server. */
  async settle(upload: Upload): Promise<void> {
    const { record } = upload
    const { movingTo } = record
    if (movingTo === undefined || upload.isFinished) return
    const move: Move = { from: parentOf(record.path as Path), ends: [] }
    this.#moves.add(move)
    try {
      // What a move to another disk has copied of it counts once it is gone at its old path. At neither its disk may be away: then a
      // later start finds it.
      if (await this.#parts.isThere(record)) await upload.stay()
      else if (await this.#parts.isThere({ ...record, path: movingTo })) await upload.follow(movingTo)
    } catch (error) {
      this.#parts.report(error)
    } finally {
      this.#moves.delete(move)
    }
  }

  /** @param goes whether an upload goes with the folder, by whether it is at its path */
  async #begin(move: Move, goes: (isAtPath: boolean) => boolean): Promise<EndMove> {
    const { from, ends } = move
    this.#moves.add(move)
    const going = new Set<Upload>()
    for (const upload of this.#below(from)) {
      const { record } = upload
      const isAtPath = !record.ended && (isUntold(record) || (await this.#isThere(record, true)))
      if (!goes(isAtPath)) continue
      going.add(upload)
      // Before it is there, so that it is found after a kill.
      await upload.goTo(ends[0] + record.path.slice(from.length)).catch(this.#parts.report)
    }
    const isMove = goes(true)
    return async (isDone) => {
      if (isDone && isMove) for (const other of this.#moves) if (other !== move) other.ends.push(...movedOn(other.ends, move))
      // Of what has ended in the trash without bytes nothing tells where it is.
      const gone = isMove ? going : new Set([...going].filter(({ isEnded, record }) => isEnded && record.offset === 0))
      await this.#end(move, isDone ? gone : new Set()).finally(() => this.#moves.delete(move))
    }
  }

  /** @param going what has gone with the folder, wherever that is by now */
  async #end(move: Move, going: ReadonlySet<Upload>) {
    const { from, ends } = move
    for (const upload of this.#below(from)) {
      const { record } = upload
      const pathAt = (end: string) => end + upload.record.path.slice(from.length)
      const found: string[] = []
      for (const end of isUntold(record) ? [] : ends)
        if (await this.#isThere({ ...record, path: pathAt(end) }, false)) found.push(end)
      const end = found.at(-1) ?? (going.has(upload) ? ends.at(-1) : undefined)
      // It may have got another name meanwhile.
      await (end === undefined ? upload.stay() : upload.follow(pathAt(end))).catch(this.#parts.report)
    }
  }

  /** @param otherwise what counts where the disk does not tell it */
  #isThere(record: UploadRecord, otherwise: boolean): Promise<boolean> {
    return this.#parts.isThere(record).catch(() => otherwise)
  }

  #below(folder: Path): Upload[] {
    return [...this.#parts.uploads()].filter(({ record, isFinished }) => !isFinished && isBelow(record.path, folder))
  }
}

/** Without content, or with its name by now, perhaps. */
const isUntold = ({ offset, sealed }: UploadRecord): boolean => offset === 0 || sealed !== undefined

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`)

/** Where paths are once a folder is moved, of those that go with it. */
function movedOn(paths: readonly string[], { from, ends }: Move): string[] {
  return paths.flatMap((path) => (isBelow(path, from) ? ends.map((end) => end + path.slice(from.length)) : []))
}
