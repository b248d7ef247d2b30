import { createFileRoute } from '@tanstack/react-router'
import { Route as RouteIcon } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcRouterCreate, vpcRouterList } from '~/api/generated/operations'
import type { VpcRouter } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/router-screens'
import { KindBadge } from '~/resource/router-route'
import { newRouterPath, routerPath, routersPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { routerActions } from '~/resource/vpc-router-actions'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { LinkCell } from '~/ui/link-cell'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers')({
  validateSearch: pageSearch,
  loader: ({ context, params: { project, vpc }, location }) =>
    load(
      context.queryClient,
      listPage(vpcRouterList, { query: { project, vpc } }, location.search),
    ),
  staticData: {
    crumb: {
      label: crumbs.routersLabel,
      to: ({ project = '', vpc = '' }) => routersPath({ project, vpc }),
    },
  },
  component: RoutersTab,
})

const list = defineList({
  operation: vpcRouterList,
  params: (vpc: VpcParams) => ({ query: vpc }),
  label: text.tableLabel,
  icon: RouteIcon,
  create: { operation: vpcRouterCreate, path: newRouterPath, label: text.newButtonLabel },
  empty: {
    title: text.emptyTitle,
    body: text.emptyHelp,
    button: text.newButtonLabel,
    isPrimary: true,
  },
})

const columns = (vpc: VpcParams): Column<VpcRouter>[] => [
  {
    id: 'name',
    header: shared.nameColumnLabel,
    isName: true,
    cell: ({ name }) => <LinkCell href={routerPath(vpc, name)}>{name}</LinkCell>,
  },
  {
    id: 'description',
    header: shared.descriptionColumnLabel,
    width: 320,
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  {
    id: 'kind',
    header: text.kindColumnLabel,
    width: 110,
    isKey: true,
    cell: ({ kind }) => <KindBadge kind={kind} />,
  },
  {
    id: 'created',
    header: shared.createdColumnLabel,
    width: 180,
    cell: ({ timeCreated }) => <DateTime value={timeCreated} />,
  },
]

/** The routers of a VPC. */
function RoutersTab() {
  const { project, vpc: name } = Route.useParams()
  const vpc = useMemo(() => ({ project, vpc: name }), [project, name])
  return (
    <ListScreen
      list={list}
      place={vpc}
      page={useList(list, vpc)}
      columns={useMemo(() => columns(vpc), [vpc])}
      rowActions={useCallback(
        (router: VpcRouter) => menuEntries(routerActions(router, vpc)),
        [vpc],
      )}
    />
  )
}
