import { createFileRoute } from '@tanstack/react-router'

import { load, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { instanceGroups } from '~/resource/anti-affinity-queries'

import { AntiAffinityCard } from '../-anti-affinity-card'
import { AutoRestartCard } from '../-auto-restart-card'
import { instanceQuery } from '../-instance-queries'

export const Route = createFileRoute(
  '/_authenticated/projects/$project/instances/$instance/_tabs/settings',
)({
  loader: ({ context: { queryClient }, params }) =>
    Promise.all([
      load(queryClient, instanceQuery(params)),
      load(queryClient, instanceGroups(params)),
    ]),
  staticData: { crumb: { label: crumbs.settingsLabel } },
  component: SettingsTab,
})

function SettingsTab() {
  const params = Route.useParams()
  const instance = useLoaded(instanceQuery(params))
  return (
    <div className="space-y-6">
      <AntiAffinityCard project={params.project} instance={instance} />
      <AutoRestartCard key={instance.id} instance={instance} />
    </div>
  )
}
