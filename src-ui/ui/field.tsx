import { type ComponentProps, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
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
    /** The id of the message about this field, when it is shown elsewhere. Marks the field as invalid. */
    problemId?: string | undefined
    /** A button at the end of the field. */
    after?: ReactNode
    /** A button beside the field. */
    beside?: ReactNode
  }

/** A labelled text field. Its children stand below it, above the messages. */
export function Field({ label, hint, error, problemId, after, beside, className = '', children, ...input }: FieldProps) {
  return (
    <Labelled {...{ label, hint, error }}>
      {(id, said) => {
        const box = (
          <input
            {...input}
            id={id}
            className={`input ${className}`.trim()}
            aria-invalid={error || problemId ? true : undefined}
            aria-describedby={[said, problemId].filter(Boolean).join(' ') || undefined}
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

/**
 * Gives the focus to the first refused field of a form, which may be far from the button.
 * @param refused what was refused; falsy for nothing. Each new value moves the focus
 * @returns for an element in the form, or around its fields
 */
export function useRefusedFocus<E extends HTMLElement>(refused: unknown): RefObject<E | null> {
  const inside = useRef<E>(null)
  useEffect(() => {
    const form = inside.current?.closest('form') ?? inside.current
    if (refused) form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [refused])
  return inside
}
