import { createFileRoute } from '@tanstack/react-router'

import { SiloLayout } from '~/app/silo-layout'

export const Route = createFileRoute('/_authenticated/_silo')({
  // Part of every screen inside, so not worth a request of its own.
  codeSplitGroupings: [],
  component: SiloLayout,
})
