import type { ReactNode } from 'react'
import { Art, type ArtName } from './art.tsx'

type Props = {
  art: ArtName
  title: string
  text: string
  /** An address or a code that helps whoever is asked. */
  code?: string | undefined
  /** 1 where it is the page, 2 inside one. */
  headingLevel?: 1 | 2
  /** Buttons: what can be done. */
  children?: ReactNode
}

/** Stands where there is nothing else to show: what is the matter, and what to do. */
export function Empty({ art, title, text, code, headingLevel = 2, children }: Props) {
  const Heading = headingLevel === 1 ? 'h1' : 'h2'
  return (
    <div className="empty">
      <div className="empty-inner">
        <Art name={art} />
        <Heading className="empty-title">{title}</Heading>
        <p className="muted">{text}</p>
        {code && (
          <p className="empty-code code muted" dir="ltr">
            {code}
          </p>
        )}
        {children && <div className="empty-actions">{children}</div>}
      </div>
    </div>
  )
}
