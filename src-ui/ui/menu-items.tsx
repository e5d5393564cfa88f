import { DropdownMenu } from 'radix-ui'
import { Fragment, type PointerEvent, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** An entry of a menu. */
export type MenuEntry = {
  id: string
  label: string
  icon?: IconName | undefined
  /** Its keys for display. */
  keys?: string | undefined
  danger?: boolean
  /** Why it cannot be chosen now; '' without a reason, undefined when it can. */
  refusal?: string | undefined
  /** Whether this one of several choices is selected; undefined for other entries. */
  checked?: boolean | undefined
  onSelect: () => void
}

type Props = { groups: readonly (readonly MenuEntry[])[]; onChoose: (entry: MenuEntry) => void }

/** The entries of a menu, with a separator between groups. */
export function MenuItems({ groups, onChoose }: Props) {
  const guard = useReleaseGuard()
  return groups.map((group, index) => (
    <Fragment key={group[0]?.id}>
      {index > 0 && <DropdownMenu.Separator className="menu-line" />}
      {group.map((entry) => (
        <Entry key={entry.id} entry={entry} guard={guard} onSelect={() => onChoose(entry)} />
      ))}
    </Fragment>
  ))
}

// A refused entry stays focusable, so that its reason can be read.
function Entry({ entry, guard, onSelect }: { entry: MenuEntry; guard: ReleaseGuard; onSelect: () => void }) {
  const refused = entry.refusal !== undefined
  const choice = entry.checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': entry.checked }
  return (
    <DropdownMenu.Item
      {...choice}
      {...guard}
      className={entry.danger ? 'menu-item menu-item-danger' : 'menu-item'}
      aria-disabled={refused || undefined}
      textValue={entry.label}
      onSelect={(event) => (refused ? event.preventDefault() : onSelect())}
    >
      <EntryIcon entry={entry} />
      <span className="label">
        {entry.label}
        {entry.refusal && <span className="menu-reason">{entry.refusal}</span>}
      </span>
      {entry.keys && (
        <span className="menu-keys" dir="ltr">
          {entry.keys}
        </span>
      )}
    </DropdownMenu.Item>
  )
}

function EntryIcon({ entry }: { entry: MenuEntry }) {
  if (entry.checked) return <Icon name="check" />
  return entry.icon && entry.checked === undefined ? <Icon name={entry.icon} /> : <span className="icon" />
}

/** Pixels that the pointer must move over a menu before a release chooses an entry. */
const dragDistance = 5

type ReleaseGuard = Record<'onPointerMove' | 'onPointerUp', (event: PointerEvent) => void>

/**
 * A press that opens a menu may be released over an entry to choose it, but only after the pointer has moved: when the menu
 * opens under a pointer that does not move, the release of that press chooses nothing.
 */
function useReleaseGuard(): ReleaseGuard {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    // Browsers also send this event when an element appears under a pointer that does not move.
    onPointerMove: ({ clientX: x, clientY: y }) => {
      start.current ??= { x, y }
    },
    // Radix chooses nothing when this event is prevented. A click that began on the entry is a separate event.
    onPointerUp: (event) => {
      const { x, y } = start.current ?? { x: event.clientX, y: event.clientY }
      const isAtRest = Math.hypot(event.clientX - x, event.clientY - y) < dragDistance
      if (event.button !== 0 || isAtRest) event.preventDefault()
    },
  }
}
