import { Component } from 'react'
import type { ReactNode } from 'react'

import { BareErrorScreen } from './error-screen'

/** The last resort, around everything: whatever reaches it is shown as the error page. */
export class TopBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    // There is no router out here that could load anything again.
    return <BareErrorScreen error={error} onRetry={() => window.location.reload()} />
  }
}
