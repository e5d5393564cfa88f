import { memo, useRef } from 'react'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { view } from '../ui/view.tsx'
import { type Console, type Finished, mostLines } from './console.ts'
import { endingText } from './ending-text.ts'
import { Prompt } from './prompt.tsx'
import { TerminalView } from './terminal-view.tsx'
import { useEndShown } from './use-end-shown.ts'

type Props = { console: Console; folder: string; onClose: () => void }

/** What the commands wrote, the terminal of the one that runs, and the line for the next. */
export const Lines = view(function Lines({ console, folder, onClose }: Props) {
  const workspace = useWorkspace()
  const area = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLInputElement>(null)
  const running = console.running.value
  useEndShown(area, running)
  const focusLine = () => {
    // A click that has selected text keeps it selected.
    if (getSelection()?.isCollapsed === false) return
    if (running) running.screen.focus()
    else line.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: with the keyboard the line is focused by Tab and F6
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the line is meant for the line
    <div className="shell-lines" ref={area} dir="ltr" translate="no" onClick={focusLine}>
      <div>
        {/* biome-ignore lint/a11y/useSemanticElements: output is no group of fields */}
        <div className="shell-output" role="group" aria-label={t('shell.output')}>
          {console.isCut.value && (
            <p className="shell-kept" dir="auto">
              {t('shell.kept', { count: mostLines })}
            </p>
          )}
          {console.finished.value.map((one) => (
            <FinishedCommand key={one.id} command={one} />
          ))}
          {running && <TerminalView running={running} />}
        </div>
        <Prompt
          line={line}
          running={running}
          history={console.history}
          commands={workspace.user.value?.commands ?? []}
          own={workspace.may('admin') ? workspace.user.value?.id : undefined}
          onRun={(text) => console.run(text, folder)}
          onClear={() => console.clear()}
          onClose={onClose}
        />
      </div>
    </div>
  )
})

/** A command that has ended, as text. Thousands of lines are drawn once. */
const FinishedCommand = memo(
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
