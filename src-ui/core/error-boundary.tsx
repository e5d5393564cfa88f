import { Component, type ReactNode } from 'react'

type Props = {
  children: ReactNode
  /** What is drawn in place of the children. */
  fallback: (error: unknown, retry: () => void) => ReactNode
  /** Another value draws the children again: another page was opened. */
  resetKey?: unknown
}
type State = { failure: { error: unknown } | undefined; resetKey: unknown }

/** Keeps an error in one part of the page from removing the rest. */
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
