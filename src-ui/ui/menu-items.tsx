import { DropdownMenu } from 'radix-ui'
import { Fragment, type PointerEvent, useRef } from 'react'
import { Icon, type IconName } from './icon.tsx'

export type MenuEntry = {
  id: string
  label: string
  icon?: IconName | undefined
  /** Its key, as a person reads it. */
  keys?: string | undefined
  danger?: boolean
  /** Why it cannot be chosen now; '' when there is nothing to say. undefined: it can. */
  refusal?: string | undefined
  /** For one of several of which one holds. */
  checked?: boolean | undefined
  onSelect: () => void
}

type Props = { groups: readonly (readonly MenuEntry[])[]; onChoose: (entry: MenuEntry) => void }

/** The entries of a menu, with a line between their groups. */
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

// A refused entry can still be reached, so that its reason can be read.
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
      <Sign entry={entry} />
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

function Sign({ entry }: { entry: MenuEntry }) {
  if (entry.checked) return <Icon name="check" />
  return entry.icon && entry.checked === undefined ? <Icon name={entry.icon} /> : <span className="icon" />
}

/** How far the pointer moves over a menu before a release chooses, in pixels. */
const dragDistance = 5

type ReleaseGuard = Record<'onPointerMove' | 'onPointerUp', (event: PointerEvent) => void>

/**
 * A button that is pressed to open a menu may be let go over an entry and choose it, once the pointer has moved there. A
 * menu that opens under a pointer at rest is not chosen from by the release of that same press.
 */
function useReleaseGuard(): ReleaseGuard {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    // The browser also tells of a pointer at rest that something has come below it.
    onPointerMove: ({ clientX: x, clientY: y }) => {
      start.current ??= { x, y }
    },
    // What is prevented here is no choice for the menu's library; a click that began on the entry is another event.
    onPointerUp: (event) => {
      const { x, y } = start.current ?? { x: event.clientX, y: event.clientY }
      const isAtRest = Math.hypot(event.clientX - x, event.clientY - y) < dragDistance
      if (event.button !== 0 || isAtRest) event.preventDefault()
    },
  }
}
