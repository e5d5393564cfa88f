import { type ReactNode, useLayoutEffect, useRef } from 'react'

/** The bar below a text. The page is told how high it is, as `--foot`: panels and notices stay above it. */
export function Foot({ className, children }: { className: string; children: ReactNode }) {
  const foot = useRef<HTMLElement>(null)
  useLayoutEffect(() => (foot.current ? follow(foot.current) : undefined), [])
  return (
    <footer className={className} ref={foot}>
      {children}
    </footer>
  )
}

function follow(foot: HTMLElement): () => void {
  const { style } = document.documentElement
  const tell = () => style.setProperty('--foot', `${foot.offsetHeight}px`)
  // Its buttons take more lines in a narrow window, and in other languages.
  const sizes = new ResizeObserver(tell)
  sizes.observe(foot)
  tell()
  return () => {
    sizes.disconnect()
    style.removeProperty('--foot')
  }
}
