import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './field.tsx'

type Props = Pick<ComponentProps<'input'>, 'ref' | 'value' | 'placeholder' | 'onBlur' | 'onSelect'> & {
  /** The accessible name; no label is shown. */
  label: string
  onValue: (value: string) => void
  /** An error message, shown below the field. */
  problem: string | undefined
  /** Content between the field and the message. */
  children?: ReactNode
}

/** A field for the name of a file, shown in place of the name. */
export function NameInput({ label, onValue, problem, children, ...input }: Props) {
  const id = useId()
  return (
    <>
      <input
        {...input}
        className="input"
        onChange={(event) => onValue(event.target.value)}
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        dir="auto"
        autoComplete="off"
        spellCheck={false}
      />
      {children}
      {problem && <FieldError id={id} text={problem} />}
    </>
  )
}
