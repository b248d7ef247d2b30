import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/_authenticated/projects/$project/instances')({
  staticData: { crumb: { label: 'Instances' } },
})
