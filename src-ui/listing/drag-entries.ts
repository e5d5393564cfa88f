import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { isMac } from '../core/chord.ts'
import { type DragState, decideDrop, dragSlice, type HeldKeys } from '../core/drag.ts'
import type { Entry } from '../core/entries.ts'
import { entryAt } from '../core/entry-view.ts'
import { go } from '../core/location.ts'
import type { Workspace } from '../core/workspace.ts'
import { transfer } from '../operations/lazy-operations.ts'
import { scrollAtEdges } from './edge-scroll.ts'
import { type Dragging, followPress } from './follow-press.ts'
import { type Listing, listingSlice } from './listing.ts'
import { selectOnly } from './selection.ts'

/** Milliseconds that the pointer must stay over a folder until it opens. */
const openingTime = 700

type Pressed = Pick<PointerEvent, 'clientX' | 'clientY' | 'ctrlKey' | 'altKey' | 'pointerId'>

/** Drags an entry, or the selection that contains it, onto a folder: a row, a breadcrumb, the sidebar. */
export function dragEntries(workspace: Workspace, pressed: Entry, down: Pressed): void {
  followPress(workspace, down, new EntryDrag(workspace, pressed, down))
}

class EntryDrag implements Dragging {
  readonly #workspace: Workspace
  readonly #listing: Listing
  readonly #dragState: DragState
  readonly #pressed: Entry
  readonly #home: string
  readonly #hovering = new HoverTimer(openingTime)
  readonly #scrolling = scrollAtEdges({ pane: () => elementAt(this.#at)?.closest('.pane') ?? null, moved: () => this.#update() })
  #items: readonly Entry[] = []
  #at: Pressed
  #keys: HeldKeys
  #stopFollowing = () => {}

  constructor(workspace: Workspace, pressed: Entry, down: Pressed) {
    this.#workspace = workspace
    this.#listing = workspace.use(listingSlice)
    this.#dragState = workspace.use(dragSlice)
    this.#home = this.#listing.currentPath.value
    this.#pressed = pressed
    this.#at = down
    this.#keys = down
  }

  start(): void {
    const { selection, selected } = this.#listing
    if (!selection.value.keys.has(this.#pressed.key)) selection.value = selectOnly(this.#pressed.key)
    this.#items = selected.value.filter((entry) => !entry.unreachable)
    this.#stopFollowing = this.#dragState.heldKeys.subscribe((keys) => {
      if (!keys) return
      this.#keys = keys
      this.#update()
    })
  }

  move(at: Pressed): void {
    this.#at = at
    this.#keys = at
    this.#update()
    this.#scrolling.at(at.clientY)
  }

  drop(): void {
    const drop = this.#dragState.current.value?.drop
    this.cancel()
    if (drop?.kind === 'taken') void transfer(this.#workspace, { items: this.#items, to: drop.to, action: drop.action })
  }

  cancel(): void {
    this.#stopFollowing()
    this.#scrolling.stop()
    this.#hovering.on(undefined)
    this.#dragState.end()
  }

  #update(): void {
    const items = this.#items
    const to = folderAt(this.#listing, this.#at, this.#home)
    const copies = isMac() ? this.#keys.altKey : this.#keys.ctrlKey
    const perm = this.#workspace.user.value?.perm ?? { rename: false, create: false, download: false }
    const at = { x: this.#at.clientX, y: this.#at.clientY }
    this.#dragState.current.value = { items, at, drop: decideDrop({ items, to, copies, perm }) }
    this.#hovering.on(isDraggedFolder(items, to) ? undefined : to, (path) => this.#openFolder(path))
  }

  #openFolder(path: string): void {
    if (path !== this.#listing.currentPath.value) go(pageOf(path, true).slice(baseURL.length))
  }
}

const elementAt = ({ clientX, clientY }: Pressed) => document.elementFromPoint(clientX, clientY)

/** Calls back when the pointer stays over one folder. */
class HoverTimer {
  readonly #time: number
  #place: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  /** @param time milliseconds */
  constructor(time: number) {
    this.#time = time
  }

  on(place: string | undefined, then?: (place: string) => void): void {
    if (place === this.#place) return
    clearTimeout(this.#timer)
    this.#place = place
    if (place !== undefined && then) this.#timer = setTimeout(() => then(place), this.#time)
  }
}

const isDraggedFolder = (items: readonly Entry[], to: string | undefined) =>
  to === undefined || items.some((item) => item.isDir && (to === item.path || to.startsWith(`${item.path}/`)))

/** The folder under the pointer. Empty space of the listing is the shown folder, if the items come from another one. */
function folderAt(listing: Listing, at: Pressed, home: string): string | undefined {
  const under = elementAt(at)
  const folder = under?.closest<HTMLElement>('[data-folder]')?.dataset.folder
  if (folder !== undefined) return folder
  const entry = entryAt(listing, under)
  if (entry?.isDir && !entry.unreachable) return entry.path
  return under?.closest('.pane') && listing.currentPath.value !== home ? listing.currentPath.value : undefined
}
