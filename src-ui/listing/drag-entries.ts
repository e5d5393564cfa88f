import { pageOf } from '../api/addresses.ts'
import { baseURL } from '../api/page-config.ts'
import { isMac } from '../core/chord.ts'
import { decideDrop, drag, endDrag, type HeldKeys, heldKeys } from '../core/drag.ts'
import type { Entry } from '../core/entries.ts'
import { go } from '../core/location.ts'
import { user } from '../core/session.ts'
import { transfer } from '../operations/transfer.ts'
import { scrollAtEdges } from './edge-scroll.ts'
import { type Dragging, followPress } from './follow-press.ts'
import { currentPath, selected, sortedEntries } from './listing.ts'
import { selection, selectOnly } from './selection.ts'

/** How long a drag rests on a folder before it opens, in milliseconds. */
const openingTime = 700

type Held = Pick<PointerEvent, 'clientX' | 'clientY' | 'ctrlKey' | 'altKey' | 'pointerId'>

/** Drags the entry, or all that is selected with it, onto a folder: a row, a step of the path, the sidebar. */
export function dragEntries(pressed: Entry, down: Held): void {
  followPress(down, new EntryDrag(pressed, down))
}

class EntryDrag implements Dragging {
  readonly #pressed: Entry
  readonly #home = currentPath.value
  readonly #resting = new HoverTimer(openingTime)
  readonly #scrolling = scrollAtEdges({ pane: () => elementAt(this.#at)?.closest('.pane') ?? null, moved: () => this.#update() })
  #items: readonly Entry[] = []
  #at: Held
  #keys: HeldKeys
  #stopFollowing = () => {}

  constructor(pressed: Entry, down: Held) {
    this.#pressed = pressed
    this.#at = down
    this.#keys = down
  }

  start(): void {
    if (!selection.value.keys.has(this.#pressed.key)) selection.value = selectOnly(this.#pressed.key)
    this.#items = selected.value.filter((entry) => !entry.unreachable)
    this.#stopFollowing = heldKeys.subscribe((keys) => {
      if (!keys) return
      this.#keys = keys
      this.#update()
    })
  }

  move(at: Held): void {
    this.#at = at
    this.#keys = at
    this.#update()
    this.#scrolling.at(at.clientY)
  }

  drop(): void {
    const drop = drag.value?.drop
    this.cancel()
    if (drop?.kind === 'taken') void transfer({ items: this.#items, to: drop.to, action: drop.action })
  }

  cancel(): void {
    this.#stopFollowing()
    this.#scrolling.stop()
    this.#resting.on(undefined)
    endDrag()
  }

  #update(): void {
    const items = this.#items
    const to = folderAt(this.#at, this.#home)
    const copies = isMac() ? this.#keys.altKey : this.#keys.ctrlKey
    const perm = user.value?.perm ?? { rename: false, create: false }
    drag.value = { items, at: { x: this.#at.clientX, y: this.#at.clientY }, drop: decideDrop({ items, to, copies, perm }) }
    this.#resting.on(isDraggedFolder(items, to) ? undefined : to, openFolder)
  }
}

const elementAt = ({ clientX, clientY }: Held) => document.elementFromPoint(clientX, clientY)

/** Notices that a drag stays on one folder. */
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

function openFolder(path: string): void {
  if (path !== currentPath.value) go(pageOf(path, true).slice(baseURL.length))
}

/** The folder under the pointer. The listing itself is one as soon as another folder is shown than the one things come from. */
function folderAt(at: Held, home: string): string | undefined {
  const under = elementAt(at)
  const place = under?.closest<HTMLElement>('[data-folder]')?.dataset.folder
  if (place !== undefined) return place
  const index = under?.closest<HTMLElement>('[data-entry]')?.dataset.entry
  const entry = index === undefined ? undefined : sortedEntries.value.entries[Number(index)]
  if (entry?.isDir && !entry.unreachable) return entry.path
  return under?.closest('.pane') && currentPath.value !== home ? currentPath.value : undefined
}
