import { Component } from 'react'
import type { ReactNode } from 'react'

import { ErrorScreen } from './error-screen'

/** The last resort, around everything: whatever reaches it is shown as the error page. */
export class TopBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : <ErrorScreen error={error} />
  }
}
