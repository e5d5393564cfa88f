import type { CSSProperties } from 'react'

type Props = {
  /** Percent; without it the progress is indeterminate. */
  value?: number
  label: string
  paused?: boolean
}

/** A progress bar. */
export function ProgressBar({ value, label, paused = false }: Props) {
  const style = value === undefined ? undefined : ({ '--value': `${value}%` } as CSSProperties)
  return (
    <span
      className={['progress-bar', value === undefined && 'progress-bar-waiting', paused && 'progress-bar-paused']
        .filter(Boolean)
        .join(' ')}
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={100}
      style={style}
    >
      <span />
    </span>
  )
}
