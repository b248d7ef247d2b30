import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/_silo/lookup/i/$instance')({
  loader: async ({ context, params }) => {
    const { openInstance } = await import('../-open-instance')
    return openInstance(context.queryClient, params.instance)
  },
})
