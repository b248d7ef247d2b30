import { createFileRoute } from '@tanstack/react-router'

import { openInstance } from '../-open-instance'

export const Route = createFileRoute('/_authenticated/_silo/lookup/i/$instance')({
  loader: ({ context, params }) => openInstance(context.queryClient, params.instance),
})
