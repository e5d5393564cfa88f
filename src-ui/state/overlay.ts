import { signal } from '@preact/signals-core'

/**
 * What lies over the page, with what it needs: one at a time is a type and not a rule.
 * A prompt adds its kind here; its component is listed in features/prompts.
 */
export type Overlay =
  | { kind: 'none' }
  /** The sidebar as a drawer, below 900 px. */
  | { kind: 'sidebar' }
  /** The header's menus. */
  | { kind: 'more' }
  | { kind: 'new' }
  | { kind: 'sort' }
  | { kind: 'newDir' }
  /** Uploads whose names are taken; which ones is known to the queue. */
  | { kind: 'replace' }

export const overlay = signal<Overlay>({ kind: 'none' })

/** Shows this and nothing else. */
export function open(wanted: Exclude<Overlay, { kind: 'none' }>): void {
  overlay.value = wanted
}

/** Closes whatever is open or, when a kind is named, only that: what was opened since stays. */
export function close(kind?: Overlay['kind']): void {
  if (!kind || overlay.value.kind === kind) overlay.value = { kind: 'none' }
}
