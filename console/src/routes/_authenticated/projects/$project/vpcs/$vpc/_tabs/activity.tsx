import { createFileRoute } from '@tanstack/react-router'

import { activityList, vpcView } from '~/api/generated/operations'
import { listPage, pageSearch } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { ActivityTab } from '~/resource/activity-tab'
import type { VpcParams } from '~/resource/vpc-path'

const view = ({ project, vpc }: VpcParams) => q(vpcView, { path: { vpc }, query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/activity')({
  validateSearch: pageSearch,
  loader: async ({ context: { queryClient }, params, location }) => {
    const { id } = await load(queryClient, view(params))
    await load(queryClient, listPage(activityList, { path: { kind: 'vpc', id } }, location.search))
  },
  staticData: { crumb: { label: crumbs.activityLabel } },
  component: VpcActivity,
})

function VpcActivity() {
  const { id } = useLoaded(view(Route.useParams()))
  return <ActivityTab kind="vpc" id={id} />
}
