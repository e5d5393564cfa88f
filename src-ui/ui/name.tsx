import { splitEnding, visibleName } from './file-names.ts'

type Props = {
  name: string
  isDir?: boolean | undefined
  /** Makes the name a link. */
  href?: string | undefined
  tabIndex?: number
  title?: string
}

/**
 * The name of a file in its own direction. A long stem is truncated, the ending is always shown. They are two elements, which a
 * screen reader would read as two words, so it gets the whole name separately.
 */
export function FileName({ name, isDir = false, href, tabIndex, title }: Props) {
  const shown = visibleName(name)
  const [stem, ending] = isDir ? [shown, ''] : splitEnding(shown)
  if (href === undefined)
    return (
      <span className="name" dir="auto" title={title}>
        {ending && <span className="visually-hidden">{name}</span>}
        <Words stem={stem} ending={ending} isHidden={ending !== ''} />
      </span>
    )
  return (
    <a className="name" dir="auto" href={href} tabIndex={tabIndex} title={title} aria-label={name} draggable={false}>
      <Words stem={stem} ending={ending} />
    </a>
  )
}

function Words({ stem, ending, isHidden = false }: { stem: string; ending: string; isHidden?: boolean }) {
  return (
    <>
      <span className={stem.length > 3 ? 'stem' : 'stem stem-short'} aria-hidden={isHidden || undefined}>
        {stem}
      </span>
      {ending && (
        <span className="ending" aria-hidden={isHidden || undefined}>
          {ending}
        </span>
      )}
    </>
  )
}
