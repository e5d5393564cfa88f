import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { baseURL } from '../api/page-config.ts'
import { listFormat } from '../i18n/intl.ts'
import { locale } from '../i18n/locale.ts'
import { isolate, t } from '../i18n/t.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { view } from '../ui/view.tsx'
import type { CommandHistory } from './history.ts'
import type { RunningCommand } from './running-command.ts'

type Props = {
  line: RefObject<HTMLInputElement | null>
  running: RunningCommand | undefined
  history: CommandHistory
  /** The names that this person may run. */
  commands: readonly string[]
  /** The id of the person when they administer the server. */
  own: number | undefined
  onRun: (line: string) => void
  onClear: () => void
  onClose: () => void
}

/** Characters of a line that the server takes. */
const longestLine = 8192

/** The line for the next command. It is disabled while one runs. */
export const Prompt = view(function Prompt({ line, running, history, commands, own, onRun, onClear, onClose }: Props) {
  const [text, setText] = useState('')
  const hint = useId()
  useFocus(line, running)
  const show = (next: string | undefined) => next !== undefined && setText(next)
  const showPrevious = () => show(history.previous(text))
  const showNext = () => show(history.next())
  const run = () => {
    setText('')
    onRun(text)
  }
  const actions: ReadonlyMap<string, () => void> = new Map([
    ['ArrowUp', showPrevious],
    ['ArrowDown', showNext],
    ['Control+l', onClear],
    ['Escape', onClose],
    ['Enter', run],
  ])
  const press = (event: KeyboardEvent) => {
    const action = event.nativeEvent.isComposing ? undefined : actions.get(nameOf(event))
    if (!action) return
    event.preventDefault()
    action()
  }
  return (
    <>
      <div className="shell-prompt">
        <span className="shell-sign" aria-hidden="true">
          $
        </span>
        <input
          ref={line}
          className="shell-input"
          data-start
          aria-label={t('shell.command')}
          aria-describedby={hint}
          placeholder={placeholderOf(running, commands)}
          value={text}
          maxLength={longestLine}
          disabled={running !== undefined}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          enterKeyHint="go"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={press}
        />
        <span className="shell-steps">
          <IconButton icon="chevron-up" label={t('shell.previous')} disabled={running !== undefined} onClick={showPrevious} />
          <IconButton icon="chevron-down" label={t('shell.next')} disabled={running !== undefined} onClick={showNext} />
        </span>
      </div>
      <p className="shell-hint" id={hint} dir="auto" hidden={running !== undefined || text !== ''}>
        {commands.length > 0 ? (
          t('shell.allowed', { commands: listFormat(locale.value.code).format(commands.map(isolate)) })
        ) : (
          <NoneAllowed own={own} />
        )}
      </p>
    </>
  )
})

/** An administrator is told where commands are allowed. */
const NoneAllowed = view(function NoneAllowed({ own }: { own: number | undefined }) {
  if (own === undefined) return t('shell.noneAllowed')
  return (
    <>
      {t('shell.noneYet')}{' '}
      <a className="text-link" href={`${baseURL}/settings/users/${own}`}>
        {t('shell.allowSome')}
      </a>
    </>
  )
})

function nameOf({ key, ctrlKey, altKey, metaKey, shiftKey }: KeyboardEvent): string {
  if (altKey || metaKey || shiftKey) return ''
  return ctrlKey ? `Control+${key.toLowerCase()}` : key
}

function placeholderOf(running: RunningCommand | undefined, [example]: readonly string[]): string {
  if (running) return t('shell.running', { command: isolate(running.line.split(/\s/)[0] ?? '') })
  return example === undefined ? '' : t('shell.placeholder', { example: isolate(example) })
}

/** Focuses the line when the panel opens and when a command has ended, unless the person is elsewhere by then. */
function useFocus(line: RefObject<HTMLInputElement | null>, running: RunningCommand | undefined) {
  const isFirst = useRef(true)
  useEffect(() => {
    const { current } = line
    const { activeElement } = document
    const isElsewhere = activeElement !== document.body && !current?.closest('.shell')?.contains(activeElement)
    if (!running && (isFirst.current || !isElsewhere)) current?.focus()
    isFirst.current = false
  }, [line, running])
}
