import { type ComponentProps, type ReactNode, useId } from 'react'
import { FieldError } from './field.tsx'

type Props = Pick<ComponentProps<'input'>, 'ref' | 'value' | 'placeholder' | 'onBlur' | 'onSelect'> & {
  /** Its name, which is not drawn: the place says what it is. */
  label: string
  onValue: (value: string) => void
  /** What is wrong, beside the field. */
  problem: string | undefined
  /** What stands between the field and the complaint. */
  children?: ReactNode
}

/** A file's name as it is typed where the name will stand. */
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
