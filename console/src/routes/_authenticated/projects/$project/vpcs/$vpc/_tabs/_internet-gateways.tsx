import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import type { InternetGateway } from '~/api/generated/types.gen'
import { load, useLoaded } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { activityAction, codeAction } from '~/app/resource-actions'
import * as text from '~/messages/internet-gateway-screens'
import * as crumbs from '~/messages/project-crumb-screens'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { IpPoolName } from '~/resource/named-by-id'
import { gatewayPath, gatewaysPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import {
  gatewayAddresses,
  gatewayPools,
  knownPools,
  vpcGateways,
  vpcRouters,
} from '~/resource/vpc-queries'
import { routesToGateway, useRoutes } from '~/resource/vpc-routes'
import type { RouteOfVpc } from '~/resource/vpc-routes'
import { CopyableCode } from '~/ui/copy-button'
import { EmptyCell } from '~/ui/empty-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import { Skeleton } from '~/ui/skeleton'
import { Table } from '~/ui/table'
import type { Column } from '~/ui/table-column'

const noGateways = (
  <EmptyMessage icon={<DoorOpen />} title={text.emptyTitle} body={text.emptyHelp} />
)

export const Route = createFileRoute(
  '/_authenticated/projects/$project/vpcs/$vpc/_tabs/_internet-gateways',
)({
  loader: ({ context: { queryClient }, params: { project, vpc } }) =>
    Promise.all([
      load(queryClient, vpcGateways({ project, vpc })),
      load(queryClient, vpcRouters({ project, vpc })),
    ]),
  staticData: {
    crumb: {
      label: crumbs.internetGatewaysLabel,
      to: ({ project = '', vpc = '' }) => gatewaysPath({ project, vpc }),
    },
  },
  component: GatewaysTab,
})

const columns = (
  vpc: VpcParams,
  routes: readonly RouteOfVpc[] | undefined,
): Column<InternetGateway>[] => [
  nameColumn(({ name }) => gatewayPath(vpc, name)),
  descriptionColumn(220),
  {
    id: 'pool',
    header: text.poolColumnLabel,
    width: 160,
    isKey: true,
    cell: ({ name }) => <FirstPool vpc={vpc} gateway={name} />,
  },
  {
    id: 'address',
    header: text.addressColumnLabel,
    tip: text.addressColumnHelp,
    width: 190,
    cell: ({ name }) => <FirstAddress vpc={vpc} gateway={name} />,
  },
  {
    id: 'routes',
    filter: {},
    header: text.routesColumnLabel,
    width: 90,
    value: ({ name }) => routesToGateway(routes ?? [], name).length,
    cell: ({ name }) => {
      const count = routesToGateway(routes ?? [], name).length
      return count === 0 ? (
        <EmptyCell />
      ) : (
        <LinkCell href={gatewayPath(vpc, name)}>{count}</LinkCell>
      )
    },
  },
  createdColumn(),
]

interface OfGateway {
  vpc: VpcParams
  gateway: string
}

function FirstPool({ vpc, gateway }: OfGateway) {
  const attached = useQuery(gatewayPools(vpc, gateway))
  const known = useQuery(knownPools)
  if (attached.isPending || known.isPending) return <Skeleton />
  const [first] = attached.data?.items ?? []
  return first ? <IpPoolName id={first.ipPoolId} pools={known.data?.items ?? []} /> : <EmptyCell />
}

function FirstAddress({ vpc, gateway }: OfGateway) {
  const { data, isPending } = useQuery(gatewayAddresses(vpc, gateway))
  if (isPending) return <Skeleton />
  const [first] = data?.items ?? []
  if (!first) return <EmptyCell />
  return <CopyableCode value={first.address} />
}

/** The internet gateways of a VPC. */
function GatewaysTab() {
  const { project, vpc: name } = Route.useParams()
  const vpc = useMemo(() => ({ project, vpc: name }), [project, name])
  const gateways = useLoaded(vpcGateways(vpc)).items
  const routes = useRoutes(vpc, useLoaded(vpcRouters(vpc)).items)
  return (
    <>
      <Table
        label={text.tableLabel}
        columns={useMemo(() => columns(vpc, routes), [vpc, routes])}
        rows={gateways}
        rowKey={({ id }) => id}
        rowActions={useCallback(
          ({ id, name: gateway }: InternetGateway) =>
            menuEntries([
              activityAction({ kind: 'internet_gateway', id, name: gateway }),
              codeAction(id, { kind: 'internet-gateway', ...vpc, name: gateway }),
            ]),
          [vpc],
        )}
        emptyMessage={noGateways}
      />
      <Outlet />
    </>
  )
}
