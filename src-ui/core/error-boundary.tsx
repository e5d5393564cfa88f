import { Component, type ReactNode } from 'react'

type Props = {
  children: ReactNode
  /** Rendered in place of the children. */
  fallback: (error: unknown, retry: () => void) => ReactNode
  /** When it changes, the children are rendered again. */
  resetKey?: unknown
}
type State = { failure: { error: unknown } | undefined; resetKey: unknown }

/** Catches errors of its children, so that the rest of the page stays. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: undefined, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { failure: undefined, resetKey }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (!failure) return this.props.children
    return this.props.fallback(failure.error, () => this.setState({ failure: undefined }))
  }
}
