import { createFileRoute } from '@tanstack/react-router'

import { vpcView } from '~/api/generated/operations'
import { pageSearch } from '~/api/list'
import { q, useLoaded } from '~/api/query'
import * as crumbs from '~/messages/project-crumb-screens'
import { ActivityTab } from '~/resource/activity-tab'
import type { VpcParams } from '~/resource/vpc-path'

const view = ({ project, vpc }: VpcParams) => q(vpcView, { path: { vpc }, query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/activity')({
  validateSearch: pageSearch,
  staticData: { crumb: { label: crumbs.activityLabel } },
  component: VpcActivity,
})

function VpcActivity() {
  const { id } = useLoaded(view(Route.useParams()))
  return <ActivityTab kind="vpc" id={id} />
}
