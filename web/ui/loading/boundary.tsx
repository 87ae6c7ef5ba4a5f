import { Component, type ErrorInfo, type ReactNode } from 'react'

type BoundaryProps = {
  children: ReactNode
  /** The replacement of the part that failed. */
  fallback: (error: unknown) => ReactNode
  onError?: (error: unknown) => void
}

type BoundaryState = { failed: false } | { failed: true; error: unknown }

/** Limits a failure to one part: everything around it stays, including typed text. A new `key` retries. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failed: false }

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failed: true, error }
  }

  override componentDidCatch(error: unknown, _: ErrorInfo): void {
    this.props.onError?.(error)
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(this.state.error) : this.props.children
  }
}
