import type { ReactNode } from 'react'
import { Art, type ArtName } from './art.tsx'

type Props = {
  art: ArtName
  title: string
  text: ReactNode
  /** An address or an error code for support. */
  code?: string | undefined
  /** 1 when it is the whole page, 2 inside one. */
  headingLevel?: 1 | 2
  /** Buttons. */
  children?: ReactNode
}

/** Shown instead of content: what is wrong, and what to do. */
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
