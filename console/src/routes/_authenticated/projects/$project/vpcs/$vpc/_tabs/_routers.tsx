import { createFileRoute } from '@tanstack/react-router'
import { Route as RouteIcon } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcRouterCreate, vpcRouterList } from '~/api/generated/operations'
import type { VpcRouter } from '~/api/generated/types.gen'
import { loadPage, pageSearch } from '~/api/list'
import { menuEntries } from '~/app/action-registry'
import { defineList, ListScreen, useList } from '~/app/list-screen'
import * as crumbs from '~/messages/project-crumb-screens'
import * as text from '~/messages/router-screens'
import { createdColumn, descriptionColumn, nameColumn } from '~/resource/list-columns'
import { KindBadge } from '~/resource/router-route'
import { inVpc, newRouterPath, routerPath, routersPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { routerActions } from '~/resource/vpc-router-actions'
import type { Column } from '~/ui/table-column'

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/_tabs/_routers')({
  validateSearch: pageSearch,
  loader: (route) => loadPage(route, vpcRouterList, inVpc(route.params)),
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
  params: inVpc,
  labels: (vpc) => ({ kind: 'vpc_router', project: vpc.project, path: routersPath(vpc) }),
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
  nameColumn(({ name }) => routerPath(vpc, name)),
  descriptionColumn(),
  {
    id: 'kind',
    filter: {},
    header: text.kindColumnLabel,
    width: 110,
    isKey: true,
    value: ({ kind }) => kind,
    cell: ({ kind }) => <KindBadge kind={kind} />,
  },
  createdColumn(),
]

/** The routers of a VPC. */
function RoutersTab() {
  const { project, vpc: name } = Route.useParams()
  const vpc = useMemo(() => ({ project, vpc: name }), [project, name])
  return (
    <ListScreen
      page={useList(list, vpc)}
      columns={useMemo(() => columns(vpc), [vpc])}
      rowActions={useCallback(
        (router: VpcRouter) => menuEntries(routerActions(router, vpc)),
        [vpc],
      )}
    />
  )
}
