import { useQueryClient } from '@tanstack/react-query'

import { AuthenticatedLayout } from './authenticated-layout'
import { ErrorScreen } from './error-screen'
import { LayoutError } from './layout-error'
import { isSessionLoaded } from './session'

/** The error page of the signed-in area: inside its frame if it is known who is signed in, else alone. */
export function SessionError({ error }: { error: unknown }) {
  const client = useQueryClient()
  return isSessionLoaded(client) ? (
    <AuthenticatedLayout content={<LayoutError error={error} />} />
  ) : (
    <ErrorScreen error={error} />
  )
}
