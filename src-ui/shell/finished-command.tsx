import { memo } from 'react'
import { view } from '../ui/view.tsx'
import type { Finished } from './console.ts'
import { endingText } from './ending-text.ts'

/** A command that has ended, as text. Thousands of lines are drawn once. */
export const FinishedCommand = memo(
  view(function FinishedCommand({ command: { line, text, ending } }: { command: Finished }) {
    const said = endingText(ending)
    return (
      <>
        <p className="shell-command">{line}</p>
        {text && <pre>{text}</pre>}
        {said && (
          <p className="shell-ending" dir="auto">
            {said}
          </p>
        )}
      </>
    )
  }),
)
