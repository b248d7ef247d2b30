import { createFileRoute } from '@tanstack/react-router'

import { LayoutError } from '~/app/layout-error'
import { requireFleetViewer, requireKnownFleetViewer } from '~/app/session'
import { SystemLayout } from '~/app/system-layout'

export const Route = createFileRoute('/_authenticated/system')({
  // Every screen below loads this layout, so a chunk of its own would only add a request.
  codeSplitGroupings: [],
  beforeLoad: ({ context }) => requireKnownFleetViewer(context.queryClient),
  loader: ({ context }) => requireFleetViewer(context.queryClient),
  component: SystemLayout,
  errorComponent: LayoutError,
})
