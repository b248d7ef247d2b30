import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Ungroup } from 'lucide-react'
import { useMemo } from 'react'

import { antiAffinityGroupView, instanceList } from '~/api/generated/operations'
import type { AntiAffinityGroup } from '~/api/generated/types.gen'
import { allItems } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import * as text from '~/messages/affinity-screens'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import { AffinityPolicyBadge } from '~/resource/affinity-policy-badge'
import { affinityDocs, AntiAffinityBadge, groupActions } from '~/resource/anti-affinity-group'
import { groupMembers } from '~/resource/anti-affinity-queries'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'

import { GroupMembers } from './-group-members'

interface Params {
  project: string
  antiAffinityGroup: string
}

const view = ({ project, antiAffinityGroup }: Params) =>
  q(antiAffinityGroupView, { path: { antiAffinityGroup }, query: { project } })

const instances = (project: string) => q(instanceList, { query: { project, limit: allItems } })

export const Route = createFileRoute(
  '/_authenticated/projects/$project/affinity/$antiAffinityGroup',
)({
  loader: ({ context: { queryClient }, params }) =>
    Promise.all([
      load(queryClient, view(params)),
      load(queryClient, groupMembers(params.project, params.antiAffinityGroup)),
      load(queryClient, instances(params.project)),
    ]),
  staticData: {
    crumb: [
      { label: crumbs.affinityGroupsLabel, to: ({ project }) => `/projects/${project}/affinity` },
      { label: ({ antiAffinityGroup = '' }) => antiAffinityGroup },
    ],
  },
  component: GroupPage,
})

function GroupPage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = Route.useNavigate()
  const group = useLoaded(view(params))
  const members = useLoaded(groupMembers(project, params.antiAffinityGroup)).items
  const candidates = useLoaded(instances(project)).items

  const actions = useMemo(
    () =>
      groupActions(group, project, () =>
        navigate({ to: '/projects/$project/affinity', params: { project } }),
      ),
    [group, project, navigate],
  )
  useActionsOf(text.actionsGroupLabel(group.name), actions)
  return (
    <>
      <PageHeader
        icon={<Ungroup />}
        title={group.name}
        docs={affinityDocs}
        actions={<ActionsMenu label={text.actionsLabel} id={group.id} actions={actions} />}
      />
      <GroupProperties group={group} memberCount={members.length} />
      <GroupMembers project={project} group={group} members={members} instances={candidates} />
      <Outlet />
    </>
  )
}

function GroupProperties({
  group,
  memberCount,
}: {
  group: AntiAffinityGroup
  memberCount: number
}) {
  return (
    <PropertiesTable columns={2} className="mb-6">
      <PropertiesTable.Row label={shared.typeColumnLabel}>
        <AntiAffinityBadge />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={group.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.policyLabel}>
        <AffinityPolicyBadge policy={group.policy} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.createdLabel}>
        <DateTime value={group.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.membersLabel}>
        <span className="tabular">{memberCount}</span>
      </PropertiesTable.Row>
      <PropertiesTable.Id id={group.id} />
    </PropertiesTable>
  )
}
