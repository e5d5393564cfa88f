import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useRef, useState } from 'react'
import { locale } from '../i18n/locale.ts'
import { focusBack } from './focus-back.ts'
import { type MenuEntry, MenuItems } from './menu-items.tsx'
import { Scrim, sparesScrim } from './scrim.tsx'

type Props = {
  label: string
  /** Pixels of the window. */
  at: { x: number; y: number }
  groups: readonly (readonly MenuEntry[])[]
  /** The object of the menu; shown only on a phone, where the menu covers it. */
  header?: ReactNode
  onClose: () => void
}

/** A menu at a point of the page; on a phone a sheet at the bottom. It is open as long as it is rendered. */
export function PointMenu({ label, at, groups, header, onClose }: Props) {
  const chosen = useRef<MenuEntry>(undefined)
  const [invoker] = useState(() => document.activeElement)
  // Restore the focus before running the command, so that a dialog it opens returns the focus there.
  const act = (event: Event) => {
    event.preventDefault()
    focusBack(invoker)
    const entry = chosen.current
    chosen.current = undefined
    if (entry) queueMicrotask(entry.onSelect)
  }
  return (
    <DropdownMenu.Root open onOpenChange={(wanted) => !wanted && onClose()} modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="menu-point" style={{ left: at.x, top: at.y }} tabIndex={-1} aria-hidden="true" />
      </DropdownMenu.Trigger>
      <Scrim className="menu-scrim" onPress={onClose} />
      <DropdownMenu.Content
        className="menu"
        // Beside the point, so that it is moved up when there is no room below.
        side={locale.peek().dir === 'rtl' ? 'left' : 'right'}
        align="start"
        collisionPadding={8}
        aria-label={label}
        aria-labelledby={undefined}
        loop
        onCloseAutoFocus={act}
        onPointerDownOutside={sparesScrim}
        onContextMenu={(event) => event.preventDefault()}
      >
        {header && <div className="menu-header">{header}</div>}
        <MenuItems
          groups={groups}
          onChoose={(entry) => {
            chosen.current = entry
          }}
        />
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}
