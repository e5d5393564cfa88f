import { useEffect, useRef } from 'react'
import { view } from '../ui/view.tsx'
import type { RunningCommand } from './running-command.ts'
import { followTheme } from './terminal-theme.ts'

/** Milliseconds after a change of the size until the terminal is fitted (specification, section 9). */
const resizePause = 100

/** The terminal of the command that runs. */
export const TerminalView = view(function TerminalView({ running }: { running: RunningCommand }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (!current) return
    const { screen } = running
    running.start(screen.open(current))
    let timer: ReturnType<typeof setTimeout> | undefined
    let isFirst = true
    const observer = new ResizeObserver(() => {
      clearTimeout(timer)
      // The first call tells the present size.
      if (!isFirst) timer = setTimeout(() => running.resize(screen.fit()), resizePause)
      isFirst = false
    })
    observer.observe(current)
    const endTheme = followTheme(() => screen.recolour())
    return () => {
      clearTimeout(timer)
      observer.disconnect()
      endTheme()
    }
  }, [running])
  return (
    <>
      <p className="shell-command">{running.line}</p>
      <div className="shell-terminal">
        <div className="shell-screen" ref={place} />
      </div>
    </>
  )
})
