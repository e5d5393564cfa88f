import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'children' | 'type'> & {
  label: string
  icon?: IconName | undefined
  /** `primary` for at most one button per view. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  small?: boolean
  wide?: boolean
  /** Submits the form around it. */
  submit?: boolean
  /** The action is running. */
  busy?: boolean
}

/** A button with a label. Other attributes are passed to the element, so that it can be the trigger of a menu. */
export function Button({ label, icon, kind = 'plain', small, wide, submit, busy, className, ...rest }: Props) {
  const classes = ['button', kind !== 'plain' && `button-${kind}`, small && 'button-small', wide && 'button-wide', className]
  return (
    <button
      {...rest}
      type={submit ? 'submit' : 'button'}
      className={classes.filter(Boolean).join(' ')}
      aria-busy={busy || undefined}
    >
      {icon && <Icon name={icon} />}
      <span className="label">{label}</span>
    </button>
  )
}
