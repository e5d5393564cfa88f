import type { Entry, OnGone } from './disk.ts'
import type { Asked, DiskContext } from './disk-context.ts'
import { FolderListing, type ListedFolder, openFolder } from './list.ts'

/** Entries that are described at a time. */
const inPart = 4000

/**
 * Everything in a folder but protected paths, in parts. Between them the names of the others are kept, which takes a tenth of the
 * memory, and the folder is open: its entries are found after it was renamed too.
 * @param ask does work on the disk
 * @param onGone called for what has gone since the first part
 */
export async function* listInParts(
  ask: <T>(work: (context: DiskContext) => Promise<T>) => Promise<T>,
  asked: Asked,
  onGone?: OnGone,
): AsyncGenerator<Entry[], void, undefined> {
  const parts = new FolderParts(asked, onGone)
  try {
    do yield await ask((context) => parts.next(context))
    while (parts.areLeft)
  } finally {
    parts.close()
  }
}

class FolderParts {
  readonly #asked: Asked
  readonly #onGone: OnGone | undefined
  #opened: (ListedFolder & { close(): void }) | undefined
  #names: readonly string[] = []
  #done = 0
  #running: Promise<unknown> = Promise.resolve()

  constructor(asked: Asked, onGone: OnGone | undefined) {
    this.#asked = asked
    this.#onGone = onGone
  }

  get areLeft(): boolean {
    return this.#done < this.#names.length
  }

  next(context: DiskContext): Promise<Entry[]> {
    const part = this.#opened ? this.#following(context, this.#opened) : this.#first(context)
    this.#running = part
    return part
  }

  /** Work that nobody waits for after an abort still uses the folder. */
  close(): void {
    const close = () => this.#opened?.close()
    this.#running.then(close, close)
  }

  async #first(context: DiskContext): Promise<Entry[]> {
    this.#opened = await openFolder(context, this.#asked)
    const listing = new FolderListing(context, this.#asked, this.#opened)
    this.#names = await listing.names()
    // Where a folder is found by its path alone nothing in it is found any more after it was renamed.
    return this.#describe(listing, context.strategy.opensByAddress ? inPart : this.#names.length)
  }

  async #following(context: DiskContext, opened: ListedFolder): Promise<Entry[]> {
    await context.protectedPaths.refresh()
    await context.protectedPaths.refreshState()
    return this.#describe(new FolderListing(context, this.#asked, opened, this.#onGone), inPart)
  }

  async #describe(listing: FolderListing, count: number): Promise<Entry[]> {
    const names = this.#names.slice(this.#done, this.#done + count)
    this.#done += count
    const entries = await listing.entriesOf(names)
    if (!this.areLeft) this.#opened?.close()
    return entries
  }
}
