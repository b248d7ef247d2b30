import { createFileRoute } from '@tanstack/react-router'

import { AuthenticatedLayout } from '~/app/authenticated-layout'
import { ErrorScreen } from '~/app/error-screen'
import { loadSession } from '~/app/session'

export const Route = createFileRoute('/_authenticated')({
  loader: ({ context }) => loadSession(context.queryClient),
  component: AuthenticatedLayout,
  errorComponent: ErrorScreen,
})
