import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'children' | 'type' | 'title' | 'aria-label'> & {
  icon: IconName
  /** What it does: its name for a screen reader and its tooltip. */
  label: string
  /** Its key as a person reads it; stands in the tooltip. */
  keys?: string | undefined
  small?: boolean
  smallIcon?: boolean
  pressed?: boolean
  expanded?: boolean
}

/** A button with a drawing alone. What else a button may have is passed on, so that a menu can hang from it. */
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
