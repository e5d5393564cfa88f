import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = Omit<ComponentProps<'button'>, 'children' | 'type'> & {
  label: string
  icon?: IconName | undefined
  /** One primary button per view. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  small?: boolean
  wide?: boolean
  /** Sends the form that it stands in. */
  submit?: boolean
  /** It is being done: a second press does nothing. */
  busy?: boolean
}

/** A button with words. What else a button may have is passed on, so that a menu can hang from it. */
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
