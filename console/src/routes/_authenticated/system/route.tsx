import { createFileRoute } from '@tanstack/react-router'

import { LayoutError } from '~/app/layout-error'
import { requireFleetViewer, requireKnownFleetViewer } from '~/app/session'
import { SystemLayout } from '~/app/system-layout'

export const Route = createFileRoute('/_authenticated/system')({
  // Part of every screen inside, so not worth a request of its own.
  codeSplitGroupings: [],
  beforeLoad: ({ context }) => requireKnownFleetViewer(context.queryClient),
  loader: ({ context }) => requireFleetViewer(context.queryClient),
  component: SystemLayout,
  errorComponent: LayoutError,
})
