import { createFileRoute } from '@tanstack/react-router'

import { AuthenticatedLayout } from '~/app/authenticated-layout'
import { loadSession } from '~/app/session'
import { SessionError } from '~/app/session-error'

export const Route = createFileRoute('/_authenticated')({
  // Part of every screen inside, so not worth a request of its own.
  codeSplitGroupings: [],
  loader: ({ context }) => loadSession(context.queryClient),
  component: AuthenticatedLayout,
  errorComponent: SessionError,
})
