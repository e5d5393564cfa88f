import type { ReactNode } from 'react'
import { HttpFailure } from '../api/http.ts'
import { ErrorView } from '../core/error-view.tsx'
import { view } from '../ui/view.tsx'
import type { Loaded } from './use-loaded.ts'

type Props<T> = { loaded: Loaded<T>; children: (value: T) => ReactNode }

/** What was read, else that it is awaited or why it is missing. */
export const Loading = view(function Loading<T>({ loaded: { value, failure, reload }, children }: Props<T>) {
  if (value !== undefined) return children(value)
  if (failure === undefined) return <div aria-busy="true" />
  const { status, message } = failure instanceof HttpFailure ? failure : { status: 500, message: String(failure) }
  return <ErrorView status={status} message={message} code={message} onRetry={reload} />
}) as <T>(props: Props<T>) => ReactNode
