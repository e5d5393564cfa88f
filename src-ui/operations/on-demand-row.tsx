import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { failureReason } from '../core/failure-reason.ts'
import { noticesSlice } from '../core/notices.ts'
import { useSlice } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'
import { FieldError } from '../ui/field.tsx'
import { view } from '../ui/view.tsx'
import type { OnDemand } from './on-demand.ts'

type Props<T, P> = {
  demand: OnDemand<T, P>
  /** The text of its button. */
  ask: string
  /** What the button does, for screen readers: they read it without what is beside it. With `cancel` it stays while it runs. */
  labels?: { ask: string; again: string; cancel?: string }
  /** What is before the button, in its line. */
  lead?: ReactNode
  /** How far it is. */
  running: (progress: P | undefined) => ReactNode
  done: (value: T) => ReactNode
  /** What is announced when it is known. */
  announced?: (value: T) => string
  reason?: (failure: unknown) => string
  /** The title of a notice about a failure, for what takes long. */
  failed?: string
}

/** What the server finds out when a button is pressed: the button, how far it is, the value, or why it failed. The value of a `dl`. */
export const OnDemandRow = view(Row) as typeof Row

function Row<T, P>({ demand, ask, labels, lead, running, done, announced, reason = failureReason, failed }: Props<T, P>) {
  const notices = useSlice(noticesSlice)
  const { value: state } = demand.state
  const run = async () => {
    await demand.run()
    const ended = demand.state.peek()
    if (ended.kind === 'done' && announced) notices.announce(announced(ended.value))
    if (ended.kind === 'failed' && failed) notices.fail(failed, reason(ended.failure))
  }
  if (state.kind === 'done') return done(state.value)
  const isRunning = state.kind === 'running'
  const isFailed = state.kind === 'failed'
  if (isRunning && !labels?.cancel) return running(state.progress)
  const button = (
    <AskButton
      text={isRunning ? t('action.cancel') : isFailed ? t('action.retry') : ask}
      label={isRunning ? labels?.cancel : isFailed ? labels?.again : labels?.ask}
      onClick={() => (isRunning ? demand.stop() : void run())}
    />
  )
  if (lead && !isFailed)
    return (
      <>
        {lead}
        {button}
      </>
    )
  return (
    <span className="sum-none">
      {isFailed && <FieldError text={reason(state.failure)} />}
      {isRunning && running(state.progress)}
      {button}
    </span>
  )
}

/** Asks, cancels and tries again: one button, which keeps the focus, and hands it to the value that takes its place. */
function AskButton({ text, label, onClick }: { text: string; label: string | undefined; onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    const value = shown?.closest('dd')
    return () => {
      if (shown && document.activeElement === shown) value?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <button type="button" className="text-link" ref={button} aria-label={label} onClick={onClick}>
      {text}
    </button>
  )
}
