import { createFileRoute } from '@tanstack/react-router'

import { load } from '~/api/query'
import { permissionsOn } from '~/app/permissions'
import { SiloLayout } from '~/app/silo-layout'

export const Route = createFileRoute('/_authenticated/_silo')({
  // Part of every screen inside, so not worth a request of its own.
  codeSplitGroupings: [],
  loader: ({ context }) => load(context.queryClient, permissionsOn({ on: 'silo' })),
  component: SiloLayout,
})
