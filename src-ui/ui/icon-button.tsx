import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'children' | 'type' | 'title' | 'aria-label'> & {
  icon: IconName
  /** The accessible name and the tooltip. */
  label: string
  /** Its keys for display; added to the tooltip. */
  keys?: string | undefined
  small?: boolean
  smallIcon?: boolean
  pressed?: boolean | undefined
  expanded?: boolean
}

/** A button with an icon only. Other attributes are passed to the element, so that it can be the trigger of a menu. */
export function IconButton({ icon, label, keys, small, smallIcon = false, pressed, expanded, className, ...rest }: Props) {
  return (
    <button
      aria-pressed={pressed}
      aria-expanded={expanded}
      {...rest}
      type="button"
      className={['icon-button', small && 'icon-button-small', className].filter(Boolean).join(' ')}
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
    >
      <Icon name={icon} small={smallIcon} />
    </button>
  )
}
