import { useQueryClient } from '@tanstack/react-query'

import { AuthenticatedLayout } from './authenticated-layout'
import { ErrorScreen } from './error-screen'
import { LayoutError } from './layout-error'
import { isSessionLoaded } from './session'

/** The error page of the signed-in area: inside of the shell if the session is known, else alone. */
export function SessionError({ error }: { error: unknown }) {
  const client = useQueryClient()
  return isSessionLoaded(client) ? (
    <AuthenticatedLayout content={<LayoutError error={error} />} />
  ) : (
    <ErrorScreen error={error} />
  )
}
