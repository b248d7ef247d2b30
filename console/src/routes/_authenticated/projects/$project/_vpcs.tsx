import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcCreate, vpcList } from '~/api/generated/operations'
import type { Vpc } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries, useActions } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { firewallRules } from '~/resource/firewall-rules-query'
import { vpcActions, vpcDocs } from '~/resource/vpc'
import { firewallRulesPath } from '~/resource/vpc-path'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyCell } from '~/ui/empty-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { PageHeader } from '~/ui/page-header'
import { Skeleton } from '~/ui/skeleton'
import type { Column } from '~/ui/table-column'

const newVpcPath = (project: string) => `/projects/${project}/vpcs-new`

function NoVpcs({ project }: { project: string }) {
  return (
    <EmptyMessage
      icon={<Network />}
      title="No VPCs"
      body="Create a VPC to see it here"
      action={
        <ButtonLink needs={vpcCreate} to={newVpcPath(project)} variant="secondary" size="sm">
          New VPC
        </ButtonLink>
      }
    />
  )
}

const params = (project: string) => ({ query: { project } })

export const Route = createFileRoute('/_authenticated/projects/$project/_vpcs')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project }, location }) =>
    load(context.queryClient, listPage(vpcList, params(project), location.search)),
  staticData: { crumb: { label: 'VPCs', to: ({ project }) => `/projects/${project}/vpcs` } },
  component: VpcsPage,
})

function RuleCount({ project, vpc }: { project: string; vpc: string }) {
  const rules = firewallRules({ project, vpc })
  // A VPC may be deleted by somebody else before its rules are asked for; its row then shows no number.
  const { data, error } = useQuery({ ...rules, throwOnError: false })
  if (data) {
    return <LinkCell href={firewallRulesPath({ project, vpc })}>{data.rules.length}</LinkCell>
  }
  return error ? <EmptyCell /> : <Skeleton className="h-3.5 w-6" />
}

const columns = (project: string): Column<Vpc>[] => [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ name }) => (
      <LinkCell href={firewallRulesPath({ project, vpc: name })}>{name}</LinkCell>
    ),
  },
  { id: 'dns-name', header: 'DNS name', width: 160, isKey: true, cell: ({ dnsName }) => dnsName },
  {
    id: 'description',
    header: 'description',
    width: 240,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'firewall-rules',
    header: 'Firewall Rules',
    width: 130,
    cell: ({ name }) => <RuleCount project={project} vpc={name} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

function VpcsPage() {
  const { project } = Route.useParams()
  const page = useListPage(vpcList, params(project))
  const { items } = page

  useActions(
    useMemo(
      () =>
        items.map(({ id, name }) => ({
          id,
          label: name,
          group: 'Go to VPC',
          icon: Network,
          href: firewallRulesPath({ project, vpc: name }),
        })),
      [project, items],
    ),
  )

  return (
    <>
      <PageHeader
        icon={<Network />}
        title="VPCs"
        docs={vpcDocs}
        actions={
          <NewLink needs={vpcCreate} to={newVpcPath(project)} action="New VPC">
            New Vpc
          </NewLink>
        }
      />
      <ListTable
        label="VPCs"
        page={page}
        columns={useMemo(() => columns(project), [project])}
        rowActions={useCallback((vpc: Vpc) => menuEntries(vpcActions(vpc, project)), [project])}
        empty={<NoVpcs project={project} />}
      />
      <Outlet />
    </>
  )
}
