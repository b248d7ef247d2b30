import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Route as RouteIcon } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcRouterCreate, vpcRouterList } from '~/api/generated/operations'
import type { VpcRouter } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { KindBadge } from '~/resource/router-route'
import { newRouterPath, routerPath, routersPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { routerActions } from '~/resource/vpc-router-actions'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

function NoRouters({ vpc }: { vpc: VpcParams }) {
  return (
    <EmptyMessage
      icon={<RouteIcon />}
      title="No VPC routers"
      body="Create a router to see it here"
      action={
        <ButtonLink needs={vpcRouterCreate} to={newRouterPath(vpc)} size="sm">
          New router
        </ButtonLink>
      }
    />
  )
}

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project, vpc }, location }) =>
    load(
      context.queryClient,
      listPage(vpcRouterList, { query: { project, vpc } }, location.search),
    ),
  staticData: {
    crumb: {
      label: 'Routers',
      to: ({ project = '', vpc = '' }) => routersPath({ project, vpc }),
    },
  },
  component: RoutersTab,
})

const columns = (vpc: VpcParams): Column<VpcRouter>[] => [
  {
    id: 'name',
    header: 'name',
    isName: true,
    cell: ({ name }) => <LinkCell href={routerPath(vpc, name)}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: 'description',
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'kind',
    header: 'kind',
    width: 110,
    isKey: true,
    cell: ({ kind }) => <KindBadge kind={kind} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** What decides where the packets of a VPC's subnets go. */
function RoutersTab() {
  const { project, vpc: name } = Route.useParams()
  const vpc = useMemo(() => ({ project, vpc: name }), [project, name])
  const page = useListPage(vpcRouterList, { query: vpc })
  const path = newRouterPath(vpc)
  return (
    <div className="space-y-4">
      <div className="flex justify-end">
        <NewLink needs={vpcRouterCreate} to={path} size="sm">
          New router
        </NewLink>
      </div>
      <ListTable
        label="Routers"
        page={page}
        columns={useMemo(() => columns(vpc), [vpc])}
        rowActions={useCallback(
          (router: VpcRouter) => menuEntries(routerActions(router, vpc)),
          [vpc],
        )}
        empty={<NoRouters vpc={vpc} />}
      />
      <Outlet />
    </div>
  )
}
