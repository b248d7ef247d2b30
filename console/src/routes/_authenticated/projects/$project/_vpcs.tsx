import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcCreate, vpcList } from '~/api/generated/operations'
import type { Vpc } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/vpc-screens'
import { firewallRules } from '~/resource/firewall-rules-query'
import { vpcActions, vpcDocs } from '~/resource/vpc'
import { firewallRulesPath } from '~/resource/vpc-path'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyCell } from '~/ui/empty-cell'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'
import type { Column } from '~/ui/table-column'

const params = (project: string) => ({ query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/_vpcs')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) =>
    load(context.queryClient, listPage(vpcList, params(project), location.search)),
  staticData: {
    crumb: { label: crumbs.vpcsLabel, to: ({ project }) => `/projects/${project}/vpcs` },
  },
  component: VpcsPage,
})

const list = defineList({
  operation: vpcList,
  params,
  title: text.listTitle,
  label: text.tableLabel,
  icon: Network,
  docs: vpcDocs,
  create: {
    operation: vpcCreate,
    path: (project) => `/projects/${project}/vpcs-new`,
    label: text.newButtonLabel,
    action: text.newActionLabel,
  },
  empty: { title: text.emptyTitle, body: text.emptyHelp, button: text.newActionLabel },
  goTo: {
    group: text.goToLabel,
    icon: Network,
    path: ({ name }, project) => firewallRulesPath({ project, vpc: name }),
  },
})

function RuleCount({ project, vpc }: { project: string; vpc: string }) {
  const rules = firewallRules({ project, vpc })
  // Another user may delete a VPC before its rules are requested. Its row then shows no number.
  const { data, error } = useQuery({ ...rules, throwOnError: false })
  if (data) {
    return <LinkCell href={firewallRulesPath({ project, vpc })}>{data.rules.length}</LinkCell>
  }
  return error ? <EmptyCell /> : <Skeleton className="h-3.5 w-6" />
}

const columns = (project: string): Column<Vpc>[] => [
  {
    id: 'name',
    header: shared.nameColumnLabel,
    isName: true,
    cell: ({ name }) => (
      <LinkCell href={firewallRulesPath({ project, vpc: name })}>{name}</LinkCell>
    ),
  },
  {
    id: 'dns-name',
    header: text.dnsNameLabel,
    width: 160,
    isKey: true,
    cell: ({ dnsName }) => dnsName,
  },
  {
    id: 'description',
    header: shared.descriptionColumnLabel,
    width: 240,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'firewall-rules',
    header: text.firewallRulesColumnLabel,
    width: 130,
    cell: ({ name }) => <RuleCount project={project} vpc={name} />,
  },
  {
    id: 'created',
    header: shared.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

function VpcsPage() {
  const { project } = Route.useParams()
  return (
    <ListScreen
      list={list}
      place={project}
      page={useList(list, project)}
      columns={useMemo(() => columns(project), [project])}
      rowActions={useCallback((vpc: Vpc) => menuEntries(vpcActions(vpc, project)), [project])}
    />
  )
}
