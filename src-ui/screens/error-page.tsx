import { ErrorView } from './error-view.tsx'

/** A page that says that something is not to be had. */
export function ErrorPage({ status }: { status: 403 | 404 | 500 }) {
  return (
    <div className="pane">
      <ErrorView status={status} />
    </div>
  )
}
