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
  const { status, message, refusal } = failure instanceof HttpFailure ? failure : new HttpFailure(500, String(failure))
  return <ErrorView {...{ status, message, refusal }} code={message} onRetry={reload} />
}) as <T>(props: Props<T>) => ReactNode
