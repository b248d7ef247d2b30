import { createFileRoute } from '@tanstack/react-router'

import { instanceView } from '~/api/generated/operations'
import { load, q, useLoaded } from '~/api/query'

import { AutoRestartCard } from '../-auto-restart-card'

interface Params {
  project: string
  instance: string
}

const view = ({ project, instance }: Params) =>
  q(instanceView, { path: { instance }, query: { project } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/settings',
)({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  staticData: { crumb: { label: 'Settings' } },
  component: SettingsTab,
})

function SettingsTab() {
  const params = Route.useParams()
  const instance = useLoaded(view(params))
  return (
    <div className="space-y-6">
      <AutoRestartCard key={instance.id} instance={instance} />
    </div>
  )
}
