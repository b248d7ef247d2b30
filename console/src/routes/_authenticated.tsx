import { createFileRoute } from '@tanstack/react-router'

import { AuthenticatedLayout } from '~/app/authenticated-layout'
import { loadSession } from '~/app/session'
import { SessionError } from '~/app/session-error'

export const Route = createFileRoute('/_authenticated')({
  // Every screen below loads this layout, so a chunk of its own would only add a request.
  codeSplitGroupings: [],
  loader: ({ context }) => loadSession(context.queryClient),
  component: AuthenticatedLayout,
  errorComponent: SessionError,
})
