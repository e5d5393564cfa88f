// What is being dragged through the page, and what would come of letting go.
import { batch, signal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'
import type { Key } from '../i18n/t.ts'
import type { Entry } from './entries.ts'
import { parentOf } from './paths.ts'

export type DropAction = 'move' | 'copy'

/** What letting go would do. */
export type Drop =
  | { kind: 'nothing' }
  | { kind: 'taken'; action: DropAction; to: string }
  /** Refused, and why. */
  | { kind: 'refused'; at: string; reason: Key }

/** Entries that are dragged; where the pointer is, in pixels of the window. */
export type Drag = { items: readonly Entry[]; at: { x: number; y: number }; drop: Drop }

/** Entries on their way; undefined when none are. */
export const drag = signal<Drag | undefined>(undefined)
/** The folder that things from the desktop are over, beside the one that is shown. */
export const desktopTarget = signal<string | undefined>(undefined)
/** How what is under way is called off; undefined when nothing is. */
export const cancelDrag = signal<(() => void) | undefined>(undefined)

export type HeldKeys = { ctrlKey: boolean; altKey: boolean }
/** The keys that were held when one was last pressed or let go during a drag: the verb follows them at once. */
export const heldKeys = signal<HeldKeys | undefined>(undefined)

/** How a folder looks while something is over it. */
export function markOf(path: string): 'target' | 'refused' | undefined {
  if (desktopTarget.value === path) return 'target'
  const drop = drag.value?.drop
  if (drop?.kind === 'taken' && drop.to === path) return 'target'
  return drop?.kind === 'refused' && drop.at === path ? 'refused' : undefined
}

export function endDrag(): void {
  batch(() => {
    drag.value = undefined
    heldKeys.value = undefined
    cancelDrag.value = undefined
  })
}

type Asked = {
  items: readonly Entry[]
  to: string | undefined
  copies: boolean
  perm: Pick<TokenUser['perm'], 'rename' | 'create'>
}

/** What becomes of things that are let go over a folder: moved, unless Ctrl copies them. */
export function decideDrop({ items, to, copies, perm }: Asked): Drop {
  if (to === undefined) return { kind: 'nothing' }
  const reason = refusalOf({ items, to, copies, perm })
  if (reason) return { kind: 'refused', at: to, reason }
  return { kind: 'taken', action: copies ? 'copy' : 'move', to }
}

function refusalOf({ items, to, copies, perm }: Asked & { to: string }): Key | undefined {
  if (!copies && !perm.rename) return 'drag.refused.move'
  if (copies && !perm.create) return 'drag.refused.copy'
  const folders = items.filter((item) => item.isDir)
  if (folders.some(({ path }) => path === to)) return 'drag.refused.itself'
  if (folders.some(({ path }) => to.startsWith(`${path}/`))) return 'drag.refused.inside'
  if (!copies && items.every(({ path }) => parentOf(path) === to)) return 'drag.refused.here'
  return undefined
}
