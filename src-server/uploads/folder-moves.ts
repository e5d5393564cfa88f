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
      // Another move of its folder may have been told meanwhile.
      if (!goes(isAtPath) || !isBelow(upload.record.path, from)) continue
      going.add(upload)
      // Before it is there, so that it is found after a kill.
      await upload.goTo(ends[0] + upload.record.path.slice(from.length)).catch(this.#parts.report)
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
  async #end({ from, ends }: Move, going: ReadonlySet<Upload>) {
    // Where the folder of each of them was when it was looked for last.
    const folders = new Map(this.#below(from).map((upload): [Upload, string] => [upload, from]))
    let known: number
    do {
      known = ends.length
      for (const [upload, folder] of folders) {
        const { end, isKnown } = await this.#whereIs(upload, folder, ends)
        const isLost = end === undefined && !isKnown && going.has(upload) && !(await this.#isThere(upload.record, false))
        const to = isLost ? ends.at(-1) : end
        // It may have got another name meanwhile, or another move of its folder was told.
        if (!isBelow(upload.record.path, folder)) continue
        const path = `${to ?? folder}${upload.record.path.slice(folder.length)}`
        await (to === undefined ? upload.stay() : upload.follow(path)).catch(this.#parts.report)
        if (upload.record.path === path) folders.set(upload, to ?? folder)
      }
      // What it was moved to may have been moved on meanwhile, by somebody who did not find it there.
    } while (ends.length > known)
  }

  /** @returns the last folder in which an upload is. `isKnown`: the disk has told of each whether it is there */
  async #whereIs({ record }: Upload, folder: string, ends: readonly string[]): Promise<{ end?: string; isKnown: boolean }> {
    if (isUntold(record)) return { isKnown: false }
    let found: string | undefined
    let isKnown = true
    for (const end of [...ends]) {
      const path = end + record.path.slice(folder.length)
      const isThere = await this.#parts.isThere({ ...record, path }).catch(() => undefined)
      if (isThere) found = end
      isKnown &&= isThere !== undefined
    }
    return { ...(found !== undefined && { end: found }), isKnown }
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
  const isMoved = (path: string) => path === from || isBelow(path, from)
  return paths.flatMap((path) => (isMoved(path) ? ends.map((end) => end + path.slice(from.length)) : []))
}
