import { Component } from 'react'
import type { ReactNode } from 'react'

import { BareErrorScreen } from './error-screen'

/** The outermost error boundary. It shows the error page. */
export class TopBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // Outside of the router, nothing can be reloaded.
    return <BareErrorScreen error={error} onRetry={() => window.location.reload()} />
  }
}
