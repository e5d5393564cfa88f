// The current drag in the page, and the effect of a drop.
import { batch, signal } from '@preact/signals-core'
import type { TokenUser } from '../../src-server/contract/users.ts'
import type { Key } from '../i18n/t.ts'
import type { Entry } from './entries.ts'
import { parentOf } from './paths.ts'
import { slice } from './workspace.ts'

export type DropAction = 'move' | 'copy'

/** The effect of a drop. */
export type Drop =
  | { kind: 'nothing' }
  | { kind: 'taken'; action: DropAction; to: string }
  /** `reason`: why it is refused. */
  | { kind: 'refused'; at: string; reason: Key }

/** Entries that are dragged; where the pointer is, in pixels of the window. */
export type Drag = { items: readonly Entry[]; at: { x: number; y: number }; drop: Drop }
export type HeldKeys = { ctrlKey: boolean; altKey: boolean }

export class DragState {
  /** Entries that are dragged; undefined when none are. */
  readonly current = signal<Drag | undefined>(undefined)
  /** The folder below files that are dragged in from the desktop, when it is not the folder that is shown. */
  readonly desktopTarget = signal<string | undefined>(undefined)
  /** Cancels the drag or the rubber band that is being drawn; undefined when there is none. */
  readonly cancel = signal<(() => void) | undefined>(undefined)
  /** The modifier keys as they are now: pressing one changes the action of a drag without moving the pointer. */
  readonly heldKeys = signal<HeldKeys | undefined>(undefined)

  /** The mark of a folder under the pointer. */
  markOf(path: string): 'target' | 'refused' | undefined {
    if (this.desktopTarget.value === path) return 'target'
    const drop = this.current.value?.drop
    if (drop?.kind === 'taken' && drop.to === path) return 'target'
    return drop?.kind === 'refused' && drop.at === path ? 'refused' : undefined
  }

  end(): void {
    batch(() => {
      this.current.value = undefined
      this.heldKeys.value = undefined
      this.cancel.value = undefined
    })
  }
}

export const dragSlice = slice('drag', () => new DragState())

type DropRequest = {
  items: readonly Entry[]
  to: string | undefined
  copies: boolean
  perm: Pick<TokenUser['perm'], 'rename' | 'create' | 'download'>
}

/** The effect of a drop on a folder: it moves, or copies with Ctrl. */
export function decideDrop({ items, to, copies, perm }: DropRequest): Drop {
  if (to === undefined) return { kind: 'nothing' }
  const reason = refusalOf({ items, to, copies, perm })
  if (reason) return { kind: 'refused', at: to, reason }
  return { kind: 'taken', action: copies ? 'copy' : 'move', to }
}

function refusalOf({ items, to, copies, perm }: DropRequest & { to: string }): Key | undefined {
  if (!copies && !perm.rename) return 'drag.refused.move'
  if (copies && !(perm.create && perm.download)) return 'drag.refused.copy'
  const folders = items.filter((item) => item.isDir)
  if (folders.some(({ path }) => path === to)) return 'drag.refused.itself'
  if (folders.some(({ path }) => to.startsWith(`${path}/`))) return 'drag.refused.inside'
  if (!copies && items.every(({ path }) => parentOf(path) === to)) return 'drag.refused.here'
  return undefined
}
