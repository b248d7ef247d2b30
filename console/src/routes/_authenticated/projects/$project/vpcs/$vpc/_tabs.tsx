import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useMemo } from 'react'

import { vpcView } from '~/api/generated/operations'
import type { Vpc } from '~/api/generated/types.gen'
import { load, q, useLoaded } from '~/api/query'
import { ActionsMenu, useActionsOf } from '~/app/actions-menu'
import { RouteTabs } from '~/app/route-tabs'
import * as activity from '~/messages/activity-menu'
import * as common from '~/messages/common'
import * as labels from '~/messages/label-menu'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/vpc-screens'
import { vpcActions, vpcDocs } from '~/resource/vpc'
import {
  activityPath,
  firewallRulesPath,
  gatewaysPath,
  newFirewallRulePath,
  newRouterPath,
  newSubnetPath,
  reachabilityPath,
  routersPath,
  subnetsPath,
  topologyPath,
  vpcEditPath,
} from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { onDemand } from '~/ui/on-demand'
import { PageHeader } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'

const view = ({ project, vpc }: VpcParams) => q(vpcView, { path: { vpc }, query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs')({
  loader: ({ context, params }) => load(context.queryClient, view(params)),
  component: VpcPage,
})

function VpcPage() {
  const params = Route.useParams()
  const { project } = params
  const navigate = Route.useNavigate()
  const vpc = useLoaded(view(params))

  const actions = useMemo(
    () =>
      vpcActions(vpc, project, () =>
        navigate({ to: '/projects/$project/vpcs', params: { project } }),
      ),
    [vpc, project, navigate],
  )
  useActionsOf(text.actionsGroupLabel(vpc.name), actions)
  return (
    <>
      <PageHeader
        icon={<Network />}
        title={vpc.name}
        docs={vpcDocs}
        actions={<ActionsMenu label={text.actionsLabel} actions={actions} />}
      />
      <VpcProperties vpc={vpc} project={project} />
      <RouteTabs label={text.tabsLabel} tabs={tabs({ project, vpc: vpc.name })}>
        <Outlet />
      </RouteTabs>
    </>
  )
}

/** The tabs of a VPC. The paths of the forms that open over a tab belong to it. */
const tabs = (vpc: VpcParams) => [
  {
    label: text.firewallRulesTabLabel,
    to: firewallRulesPath(vpc),
    alsoUnder: [newFirewallRulePath(vpc), vpcEditPath(vpc)],
  },
  { label: text.subnetsTabLabel, to: subnetsPath(vpc), alsoUnder: [newSubnetPath(vpc)] },
  { label: text.routersTabLabel, to: routersPath(vpc), alsoUnder: [newRouterPath(vpc)] },
  { label: text.gatewaysTabLabel, to: gatewaysPath(vpc) },
  { label: text.topologyTabLabel, to: topologyPath(vpc) },
  { label: text.reachabilityTabLabel, to: reachabilityPath(vpc) },
  { label: activity.activityLabel, to: activityPath(vpc) },
]

const LabelsOf = onDemand(async () => (await import('~/resource/label-chips')).LabelsOf)

function VpcProperties({ vpc, project }: { vpc: Vpc; project: string }) {
  return (
    <PropertiesTable columns={2} className="mb-6">
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={vpc.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.dnsNamePropertyLabel}>{vpc.dnsName}</PropertiesTable.Row>
      <PropertiesTable.Row label={common.createdLabel}>
        <DateTime value={vpc.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={shared.lastModifiedLabel}>
        <DateTime value={vpc.timeModified} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.ipv6PrefixLabel}>
        <span className="font-mono text-xs">{vpc.ipv6Prefix}</span>
      </PropertiesTable.Row>
      <PropertiesTable.Id id={vpc.id} />
      <PropertiesTable.Row label={labels.labelsLabel}>
        <LabelsOf kind="vpc" id={vpc.id} path={`/projects/${project}/vpcs`} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
