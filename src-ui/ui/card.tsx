import { type ReactNode, useId } from 'react'

type CardProps = {
  /** The name of the form for screen readers. */
  label: string
  /** Enter in a field submits too. */
  onSubmit?: () => void
  children: ReactNode
}

/** A form of the settings with its own *Update*. It consists of sections. */
export function Card({ label, onSubmit, children }: CardProps) {
  return (
    <form
      className="setting-card"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit?.()
      }}
    >
      {children}
    </form>
  )
}

type SectionProps = {
  title: string
  text?: string | undefined
  /** The fields may use the whole width. */
  wide?: boolean
  children: ReactNode
}

/** A part of a card: what it is about, and its fields. */
export function Section({ title, text, wide = false, children }: SectionProps) {
  const id = useId()
  return (
    <fieldset className="setting" aria-labelledby={id}>
      <div className="setting-intro">
        <h2 id={id}>{title}</h2>
        {text && <p>{text}</p>}
      </div>
      <div className={wide ? 'setting-fields setting-wide' : 'setting-fields'}>{children}</div>
    </fieldset>
  )
}
