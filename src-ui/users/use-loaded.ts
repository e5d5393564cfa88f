import { useEffect, useState } from 'react'
import { tasksSlice } from '../core/tasks.ts'
import { useWorkspace } from '../core/use-workspace.ts'
import { t } from '../i18n/t.ts'

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
      .track({ label: t('app.loading') }, () => load(signal))
      .then(
        (value) => signal.aborted || setState({ value }),
        (failure) => signal.aborted || setState({ failure }),
      )
    return () => controller.abort()
  }, [workspace, load, attempt])
  return { value: state.value, failure: state.failure, reload: () => setAttempt((count) => count + 1) }
}
