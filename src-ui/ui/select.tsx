import { useId } from 'react'
import { Icon } from './icon.tsx'

type Props<T extends string> = {
  label: string
  hint?: string | undefined
  value: T
  options: readonly { value: T; label: string; lang?: string | undefined }[]
  onValue: (value: T) => void
  disabled?: boolean
}

/** A labelled choice of one among several. */
export function Select<T extends string>({ label, hint, value, options, onValue, disabled = false }: Props<T>) {
  const id = useId()
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <span className="select">
        <select
          id={id}
          className="input"
          value={value}
          disabled={disabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onValue(event.target.value as T)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} lang={option.lang}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" small />
      </span>
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
