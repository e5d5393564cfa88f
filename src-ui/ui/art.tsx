import type { ReactNode } from 'react'

/** The pictures: a bag, a locked bag, a bag that is torn open, a bag with torn handles. */
export type ArtName = 'bag' | 'locked' | 'split' | 'torn'

/** A picture for screens without content. */
export function Art({ name }: { name: ArtName }) {
  return (
    <svg className="empty-art" viewBox="0 0 112 84" aria-hidden="true">
      <path className="art-body" d="M28 30h56a22 22 0 0 1 22 22v14a12 12 0 0 1-12 12H18A12 12 0 0 1 6 66V52a22 22 0 0 1 22-22z" />
      {name === 'torn' ? tornHandles : handles}
      {details[name]}
    </svg>
  )
}

const handles = (
  <>
    <path
      className="art-strap"
      d="M34 78V24a16 16 0 0 1 16-16h12a16 16 0 0 1 16 16v54M41 78V24a9 9 0 0 1 9-9h12a9 9 0 0 1 9 9v54"
    />
    <path className="art-strap art-thread" d="M37.5 70V28M74.5 70V28" />
  </>
)

const tornHandles = (
  <path
    className="art-strap"
    d="M34 78V20a14 14 0 0 1 12-13.9M41 78V20a7 7 0 0 1 3.5-6M78 78V20c0-7 6-10 10-6s1 9 6 9M71 78V20c0-12 11-16 17-12"
  />
)

const seam = <path className="art-body" d="M41 46h30" />

const details: Record<ArtName, ReactNode> = {
  bag: seam,
  torn: seam,
  locked: (
    <>
      <path className="art-body" d="M51 50v-5a5 5 0 0 1 10 0v5" />
      <rect className="art-body" x="46" y="50" width="20" height="15" rx="3" />
      <path className="art-body" d="M56 56v3" />
    </>
  ),
  split: <path className="art-body" d="m56 30-5 9 8 7-7 9 8 8-5 7 2 8" />,
}
