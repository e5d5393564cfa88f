import { type ReactNode, useEffect, useState } from 'react'
import { HttpFailure } from '../api/http.ts'
import { focusBack } from '../ui/focus-back.ts'
import { view } from '../ui/view.tsx'
import { ErrorView } from './error-view.tsx'
import { failureReason } from './failure-reason.ts'
import { noticesSlice } from './notices.ts'
import { tasksSlice } from './tasks.ts'
import { useSlice, useWorkspace } from './use-workspace.ts'

/** What a screen reads from the server before it shows it. */
export type Loaded<T> = {
  value: T | undefined
  /** Why it could not be read. */
  failure: unknown
  /** Reads it again. */
  reload: () => void
}

/** Reads something when a screen opens, and again when `load` changes. @param load must be the same function in each rendering */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const workspace = useWorkspace()
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<{ value?: T; failure?: unknown }>({})
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // What was read stays until it has been read again.
    if (attempt === 0) setState({})
    void workspace
      .use(tasksSlice)
      .track(() => load(signal))
      .then(
        (value) => signal.aborted || setState({ value }),
        (failure) => signal.aborted || setState({ failure }),
      )
    return () => controller.abort()
  }, [workspace, load, attempt])
  return { value: state.value, failure: state.failure, reload: () => setAttempt((count) => count + 1) }
}

type Props<T> = {
  loaded: Loaded<T>
  /** Whether the heading of the page is part of what is read. */
  isPage?: boolean
  children: (value: T) => ReactNode
}

/** What was read, else that it is awaited or why it is missing. */
export const Loading = view(function Loading<T>({ loaded, isPage, children }: Props<T>) {
  const { value, failure, reload } = loaded
  if (value !== undefined) return children(value)
  return failure === undefined ? <div aria-busy="true" /> : <NotLoaded failure={failure} onRetry={reload} isPage={isPage} />
}) as <T>(props: Props<T>) => ReactNode

type NotLoadedProps = { failure: unknown; onRetry: () => void; isPage?: boolean | undefined }

/** Why something could not be read, which is announced after each attempt, and the button to try again. */
export function NotLoaded({ failure, onRetry, isPage = false }: NotLoadedProps) {
  const notices = useSlice(noticesSlice)
  useEffect(() => notices.announce(failureReason(failure)), [notices, failure])
  // The button goes when it is read at last.
  useEffect(() => () => focusBack(null), [])
  const { status, message, reason, refusal } = failure instanceof HttpFailure ? failure : new HttpFailure(500, String(failure))
  return <ErrorView {...{ status, reason, refusal }} code={message} onRetry={onRetry} headingLevel={isPage ? 1 : 2} />
}
