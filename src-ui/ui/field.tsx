import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

type Props = Omit<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'> & {
  label: string
  hint?: string | undefined
  /** An error message, shown below the field. */
  error?: string | undefined
  /** Marks the field as invalid when the message is shown elsewhere. */
  invalid?: boolean
  /** A button at the end of the field. */
  after?: ReactNode
}

/** A labelled text field. */
export function Field({ label, hint, error, invalid = false, after, className = '', ...input }: Props) {
  const id = useId()
  const said = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const box = (
    <input
      {...input}
      id={id}
      className={`input ${className}`.trim()}
      aria-invalid={error || invalid ? true : undefined}
      aria-describedby={said || undefined}
    />
  )
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {after ? (
        <span className="input-with">
          {box}
          {after}
        </span>
      ) : (
        box
      )}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`} text={error} />}
    </div>
  )
}

/** An error message of a form. Screen readers read it at once. */
export function FieldError({ id, text }: { id?: string; text: string }) {
  return (
    <p className="field-error" role="alert" id={id}>
      <Icon name="alert-circle" small />
      <span>{text}</span>
    </p>
  )
}
