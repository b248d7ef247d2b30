import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcCreate, vpcList, vpcSearch } from '~/api/generated/operations'
import type { Vpc } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/vpc-screens'
import { firewallRules } from '~/resource/firewall-rules-query'
import { inProject } from '~/resource/in-project'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { vpcActions, vpcDocs } from '~/resource/vpc'
import { firewallRulesPath } from '~/resource/vpc-path'
import { EmptyCell } from '~/ui/empty-cell'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/projects/$project/_vpcs')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, vpcList, inProject(route.params.project)),
  staticData: {
    crumb: { label: crumbs.vpcsLabel, to: ({ project }) => `/projects/${project}/vpcs` },
  },
  component: VpcsPage,
})

const list = defineList({
  operation: vpcList,
  found: vpcSearch,
  params: inProject,
  labels: (project) => ({ kind: 'vpc', project, path: `/projects/${project}/vpcs` }),
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
  nameColumn(({ name }) => firewallRulesPath({ project, vpc: name })),
  {
    id: 'dns-name',
    header: text.dnsNameLabel,
    width: 160,
    isKey: true,
    cell: ({ dnsName }) => dnsName,
  },
  descriptionColumn(240),
  {
    id: 'firewall-rules',
    header: text.firewallRulesColumnLabel,
    width: 130,
    cell: ({ name }) => <RuleCount project={project} vpc={name} />,
  },
  createdColumn(),
]

function VpcsPage() {
  const { project } = Route.useParams()
  return (
    <ListScreen
      page={useList(list, project)}
      columns={useMemo(() => columns(project), [project])}
      rowActions={useCallback((vpc: Vpc) => menuEntries(vpcActions(vpc, project)), [project])}
    />
  )
}
