import { type MouseEvent, useEffect, useMemo, useRef } from 'react'
import { decodePath } from '../api/addresses.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { type Heading, headingId, safeDocument } from './safe-document.ts'

/** A document, with its outline where there is room. */
export const MarkdownView = view(function MarkdownView({ html, path }: { html: string; path: string }) {
  const article = useRef<HTMLElement>(null)
  const { content, headings } = useMemo(() => safeDocument(html, path), [html, path])
  useEffect(() => {
    article.current?.replaceChildren(content.cloneNode(true))
  }, [content])
  return (
    <div className="reader" tabIndex={0} role="region" aria-label={t('editor.content')}>
      {headings.length > 1 && <Outline headings={headings} />}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: links get a click from the keyboard too */}
      <article className="prose" dir="auto" ref={article} onClick={followAnchor} />
    </div>
  )
})

function Outline({ headings }: { headings: readonly Heading[] }) {
  const top = Math.min(...headings.map(({ level }) => level))
  const shown = headings.filter(({ level }) => level <= top + 1)
  return (
    <nav className="reader-outline" aria-label={t('editor.outline')}>
      <div>{t('editor.outline')}</div>
      {shown.map(({ id, text }) => (
        <a key={id} href={`#${id}`} dir="auto" onClick={followAnchor}>
          {text}
        </a>
      ))}
    </nav>
  )
}

/** A link inside the document scrolls: the address of the page stays. */
function followAnchor(event: MouseEvent): void {
  const href = (event.target as Element).closest('a')?.getAttribute('href')
  if (!href?.startsWith('#')) return
  event.preventDefault()
  const name = decodePath(href.slice(1))
  const heading = document.getElementById(name.startsWith('document-') ? name : headingId(name.toLowerCase()))
  heading?.scrollIntoView()
  heading?.focus({ preventScroll: true })
}
