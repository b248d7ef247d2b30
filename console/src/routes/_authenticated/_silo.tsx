import { createFileRoute } from '@tanstack/react-router'

import { load } from '~/api/query'
import { permissionsOn } from '~/app/permissions'
import { SiloLayout } from '~/app/silo-layout'

export const Route = createFileRoute('/_authenticated/_silo')({
  // Every screen below loads this layout, so a chunk of its own would only add a request.
  codeSplitGroupings: [],
  loader: ({ context }) => load(context.queryClient, permissionsOn({ on: 'silo' })),
  component: SiloLayout,
})
