import type { ComponentProps } from 'react'
import { Labelled } from './field.tsx'
import { Icon } from './icon.tsx'

type ChoiceProps<T extends string> = Omit<ComponentProps<'select'>, 'value' | 'onChange'> & {
  value: T
  options: readonly { value: T; label: string; lang?: string | undefined }[]
  onValue: (value: T) => void
}

/** A choice of one among several. */
export function Choice<T extends string>({ options, onValue, ...select }: ChoiceProps<T>) {
  return (
    <span className="select">
      <select className="input" onChange={(event) => onValue(event.target.value as T)} {...select}>
        {options.map((option) => (
          <option key={option.value} value={option.value} lang={option.lang}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" small />
    </span>
  )
}

/** The same with a label. */
export function Select<T extends string>({
  label,
  hint,
  ...choice
}: ChoiceProps<T> & { label: string; hint?: string | undefined }) {
  return (
    <Labelled label={label} hint={hint}>
      {(id, said) => <Choice id={id} aria-describedby={said} {...choice} />}
    </Labelled>
  )
}
