import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from './icon.tsx'

type LabelledProps = {
  label: string
  hint?: string | undefined
  /** An error message, shown below the field. */
  error?: string | undefined
  /** The field. @param said the ids of hint and error */
  children: (id: string, said: string | undefined) => ReactNode
}

/** A label above a field, and below it what it is for and what is wrong with it. */
export function Labelled({ label, hint, error, children }: LabelledProps) {
  const id = useId()
  const said = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children(id, said || undefined)}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`} text={error} />}
    </div>
  )
}

export type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'aria-invalid' | 'aria-describedby'> &
  Omit<LabelledProps, 'children'> & {
    /** Marks the field as invalid when the message is shown elsewhere. */
    invalid?: boolean
    /** A button at the end of the field. */
    after?: ReactNode
    /** A button beside the field. */
    beside?: ReactNode
  }

/** A labelled text field. Its children stand below it, above the messages. */
export function Field({ label, hint, error, invalid = false, after, beside, className = '', children, ...input }: FieldProps) {
  return (
    <Labelled {...{ label, hint, error }}>
      {(id, said) => {
        const box = (
          <input
            {...input}
            id={id}
            className={`input ${className}`.trim()}
            aria-invalid={error || invalid ? true : undefined}
            aria-describedby={said}
          />
        )
        return (
          <>
            {inside('field-line', inside('input-with', box, after), beside)}
            {children}
          </>
        )
      }}
    </Labelled>
  )
}

/** A field with its button, or alone when it has none. */
function inside(className: string, field: ReactNode, button: ReactNode): ReactNode {
  if (!button) return field
  return (
    <span className={className}>
      {field}
      {button}
    </span>
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
