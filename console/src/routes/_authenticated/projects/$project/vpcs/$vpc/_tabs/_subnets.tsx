import { createFileRoute } from '@tanstack/react-router'
import { EthernetPort } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcSubnetCreate, vpcSubnetList } from '~/api/generated/operations'
import type { VpcSubnet } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/subnet-screens'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { RouterLink } from '~/resource/router-link'
import { inVpc, newSubnetPath, subnetEditPath, subnetsPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { subnetActions } from '~/resource/vpc-subnet-actions'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/_subnets')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, vpcSubnetList, inVpc(route.params)),
  staticData: {
    crumb: {
      label: crumbs.subnetsLabel,
      to: ({ project = '', vpc = '' }) => subnetsPath({ project, vpc }),
    },
  },
  component: SubnetsTab,
})

const list = defineList({
  operation: vpcSubnetList,
  params: inVpc,
  labels: (vpc) => ({ kind: 'vpc_subnet', project: vpc.project, path: subnetsPath(vpc) }),
  label: text.tableLabel,
  icon: EthernetPort,
  create: { operation: vpcSubnetCreate, path: newSubnetPath, label: text.newButtonLabel },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newButtonLabel,
    isPrimary: true,
  },
})

const columns = (vpc: VpcParams): Column<VpcSubnet>[] => [
  nameColumn(({ name }) => subnetEditPath(vpc, name)),
  descriptionColumn(220),
  {
    id: 'block',
    header: text.blockColumnLabel,
    width: 200,
    isKey: true,
    value: ({ ipv4Block, ipv6Block }) => [ipv4Block, ipv6Block],
    cell: ({ ipv4Block, ipv6Block }) => (
      <span className="flex flex-col font-mono text-xs">
        <span className="text-fg">{ipv4Block}</span>
        <span className="text-fg-subtle">{ipv6Block}</span>
      </span>
    ),
  },
  {
    id: 'router',
    header: text.routerColumnLabel,
    cell: ({ customRouterId }) => <RouterLink vpc={vpc} routerId={customRouterId} />,
  },
  createdColumn(),
]

/** The subnets of a VPC. */
function SubnetsTab() {
  const { project, vpc: name } = Route.useParams()
  const vpc = useMemo(() => ({ project, vpc: name }), [project, name])
  return (
    <ListScreen
      page={useList(list, vpc)}
      columns={useMemo(() => columns(vpc), [vpc])}
      rowActions={useCallback(
        (subnet: VpcSubnet) => menuEntries(subnetActions(subnet, vpc)),
        [vpc],
      )}
      rowHeight="large"
    />
  )
}
