import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Copy, Ellipsis, Route as RouteIcon } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcRouterRouteCreate, vpcRouterRouteList, vpcRouterView } from '~/api/generated/operations'
import type { RouterRoute, VpcRouter } from '~/api/generated/types.gen'
import { listPage, pageSearch, useListPage } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { ButtonLink } from '~/app/button-link'
import { ListTable } from '~/app/list-table'
import { NewLink } from '~/app/new-link'
import { copyText } from '~/lib/clipboard'
import { KindBadge, RoutePartBadges } from '~/resource/router-route'
import { routeActions } from '~/resource/router-route-actions'
import { newRoutePath, routerPath, routersPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { buttonClass } from '~/ui/button-class'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { MenuButton } from '~/ui/menu'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'
import type { Column } from '~/ui/table-column'

const docs: PageDocs = {
  heading: 'routers',
  summary:
    'A router determines where packets from a subnet are sent. Every VPC has a system router, which connects its subnets to each other and to the outside. In subnets with a custom router, its routes take precedence over the system router’s.',
  links: [{ label: 'Custom Routers', href: '/explorer?operation=vpc_router_create' }],
}

type Params = VpcParams & { router: string }

const view = ({ project, vpc, router }: Params) =>
  q(vpcRouterView, { path: { router }, query: { project, vpc } })

const listParams = ({ project, vpc, router }: Params) => ({ query: { project, vpc, router } })

export const Route = createFileRoute('/_authenticated/projects/$project/vpcs/$vpc/routers/$router')(
  {
    validateSearch: pageSearch,
    loader: ({ context: { queryClient }, params, location }) =>
      Promise.all([
        load(queryClient, view(params)),
        load(queryClient, listPage(vpcRouterRouteList, listParams(params), location.search)),
      ]),
    staticData: {
      crumb: [
        { label: 'Routers', to: ({ project = '', vpc = '' }) => routersPath({ project, vpc }) },
        {
          label: ({ router = '' }) => router,
          to: ({ project = '', vpc = '', router = '' }) => routerPath({ project, vpc }, router),
        },
        {
          label: 'Routes',
          to: ({ project = '', vpc = '', router = '' }) => routerPath({ project, vpc }, router),
        },
      ],
    },
    component: RouterPage,
  },
)

const columns: Column<RouterRoute>[] = [
  { id: 'name', header: 'Name', isName: true, cell: ({ name }) => name },
  { id: 'kind', header: 'Kind', width: 120, cell: ({ kind }) => <KindBadge kind={kind} /> },
  {
    id: 'destination',
    header: 'Destination',
    width: 240,
    isKey: true,
    cell: ({ destination }) => <RoutePartBadges part={destination} />,
  },
  {
    id: 'target',
    header: 'Target',
    width: 240,
    cell: ({ target }) => <RoutePartBadges part={target} />,
  },
]

function RouterPage() {
  const { project, vpc: vpcName, router: name } = Route.useParams()
  const vpc = useMemo(() => ({ project, vpc: vpcName }), [project, vpcName])
  const router = useLoaded(view({ ...vpc, router: name }))
  const isSystem = router.kind === 'system'
  const page = useListPage(vpcRouterRouteList, listParams({ ...vpc, router: name }))
  const path = newRoutePath(vpc, router.name)
  return (
    <>
      <PageHeader
        icon={<RouteIcon />}
        title={router.name}
        docs={docs}
        actions={
          <MenuButton
            label="Router actions"
            className={buttonClass({ variant: 'secondary', size: 'icon' })}
            trigger={<Ellipsis aria-hidden="true" />}
            items={[
              {
                id: 'copy-id',
                label: 'Copy ID',
                icon: Copy,
                needs: null,
                onAction: () => void copyText(router.id),
              },
            ]}
          />
        }
      />
      <RouterProperties router={router} />
      <div className="mb-4 flex items-center justify-between gap-4">
        <h2 className="text-base font-semibold">Routes</h2>
        <NewLink
          needs={vpcRouterRouteCreate}
          to={path}
          refusal={isSystem && 'User-provided routes cannot be added to a system router'}
          size="sm"
        >
          New route
        </NewLink>
      </div>
      <ListTable
        label="Routes"
        page={page}
        columns={columns}
        rowActions={useCallback(
          (route: RouterRoute) => menuEntries(routeActions(route, router, vpc)),
          [router, vpc],
        )}
        empty={
          <EmptyMessage
            icon={<RouteIcon />}
            title="No routes"
            body="Add a route to see it here"
            action={
              !isSystem && (
                <ButtonLink needs={vpcRouterRouteCreate} to={path} size="sm">
                  Add route
                </ButtonLink>
              )
            }
          />
        }
      />
      <Outlet />
    </>
  )
}

function RouterProperties({ router }: { router: VpcRouter }) {
  return (
    <PropertiesTable columns={2} className="mb-6">
      <PropertiesTable.Row label="Description">
        <DescriptionCell text={router.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Kind">
        <KindBadge kind={router.kind} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Created">
        <DateTime value={router.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Last Modified">
        <DateTime value={router.timeModified} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
