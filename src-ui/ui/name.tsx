import { splitEnding } from './split-name.ts'

type Props = {
  name: string
  isDir?: boolean
  /** With an address the name is a link. */
  href?: string
  tabIndex?: number
  title?: string
}

/** A file's name in its own direction: the stem gives way, the ending stays. */
export function FileName({ name, isDir = false, href, tabIndex, title }: Props) {
  const [stem, ending] = isDir ? [name, ''] : splitEnding(name)
  const words = (
    <>
      <span className="stem">{stem}</span>
      {ending && <span className="ending">{ending}</span>}
    </>
  )
  if (href === undefined)
    return (
      <span className="name" dir="auto" title={title}>
        {words}
      </span>
    )
  return (
    <a className="name" dir="auto" href={href} tabIndex={tabIndex} title={title} draggable={false}>
      {words}
    </a>
  )
}
