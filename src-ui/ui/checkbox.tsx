import { useId } from 'react'

type Props = {
  label: string
  hint?: string | undefined
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled?: boolean
}

/** A checkbox with a label, and a sentence that explains it. */
export function Checkbox({ label, hint, isOn, onChange, disabled = false }: Props) {
  const id = useId()
  return (
    <label className="checkbox" data-disabled={disabled || undefined}>
      <input
        className="check"
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="checkbox-text">
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <span className="field-hint" id={`${id}-hint`}>
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}
