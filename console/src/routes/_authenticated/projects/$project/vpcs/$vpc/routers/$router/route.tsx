import { createFileRoute, Outlet } from '@tanstack/react-router'
import { Route as RouteIcon } from 'lucide-react'
import { useCallback, useMemo } from 'react'

import { vpcRouterRouteCreate, vpcRouterRouteList, vpcRouterView } from '~/api/generated/operations'
import type { RouterRoute, VpcRouter } from '~/api/generated/types.gen'
import { listPage, pageSearch } from '~/api/list'
import { load, q, useLoaded } from '~/api/query'
import { menuEntries } from '~/app/action-registry'
import { ActionsMenu } from '~/app/actions-menu'
import { ButtonLink } from '~/app/button-link'
import { defineList, ListTab, useList } from '~/app/list-screen'
import * as common from '~/messages/common'
import * as crumbs from '~/messages/project-crumb-screens'
import * as shared from '~/messages/project-screens'
import * as text from '~/messages/router-screens'
import { KindBadge } from '~/resource/router-route'
import { routeActions } from '~/resource/router-route-actions'
import { newRoutePath, routerPath, routersPath } from '~/resource/vpc-path'
import type { VpcParams } from '~/resource/vpc-path'
import { DateTime } from '~/ui/date-time'
import { DescriptionCell } from '~/ui/description-cell'
import { EmptyMessage } from '~/ui/empty-message'
import { PageHeader } from '~/ui/page-header'
import type { PageDocs } from '~/ui/page-header'
import { PropertiesTable } from '~/ui/properties-table'

import { routeColumns } from './-route-columns'

const docs: PageDocs = {
  heading: text.docsTitle,
  summary: text.docsHelp,
  links: [{ label: text.docsRoutersLinkLabel, href: '/explorer?operation=vpc_router_create' }],
}

type Params = VpcParams & { router: string }

const view = ({ project, vpc, router }: Params) =>
  q(vpcRouterView, { path: { router }, query: { project, vpc } })

const listParams = ({ project, vpc, router }: Params & { isSystem?: boolean }) => ({
  query: { project, vpc, router },
})

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
        {
          label: crumbs.routersLabel,
          to: ({ project = '', vpc = '' }) => routersPath({ project, vpc }),
        },
        {
          label: ({ router = '' }) => router,
          to: ({ project = '', vpc = '', router = '' }) => routerPath({ project, vpc }, router),
        },
        {
          label: crumbs.routesLabel,
          to: ({ project = '', vpc = '', router = '' }) => routerPath({ project, vpc }, router),
        },
      ],
    },
    component: RouterPage,
  },
)

const list = defineList({
  operation: vpcRouterRouteList,
  params: listParams,
  label: text.routesLabel,
  icon: RouteIcon,
  create: {
    operation: vpcRouterRouteCreate,
    path: (of) => newRoutePath(of, of.router),
    label: text.newRouteLabel,
    refusal: ({ isSystem }) => isSystem && text.systemRouterError,
  },
  empty: { title: text.noRoutesTitle, body: text.noRoutesHelp },
})

function RouterPage() {
  const { project, vpc: vpcName, router: name } = Route.useParams()
  const vpc = useMemo(() => ({ project, vpc: vpcName }), [project, vpcName])
  const router = useLoaded(view({ ...vpc, router: name }))
  const isSystem = router.kind === 'system'
  const page = useList(
    list,
    useMemo(() => ({ ...vpc, router: name, isSystem }), [vpc, name, isSystem]),
  )
  const path = newRoutePath(vpc, router.name)
  return (
    <>
      <PageHeader
        icon={<RouteIcon />}
        title={router.name}
        docs={docs}
        actions={<ActionsMenu label={text.actionsLabel} id={router.id} />}
      />
      <RouterProperties router={router} />
      <h2 className="mb-4 text-base font-semibold">{text.routesTitle}</h2>
      <ListTab
        page={page}
        columns={routeColumns}
        rowActions={useCallback(
          (route: RouterRoute) => menuEntries(routeActions(route, router, vpc)),
          [router, vpc],
        )}
        empty={
          <EmptyMessage
            icon={<RouteIcon />}
            title={text.noRoutesTitle}
            body={text.noRoutesHelp}
            action={
              !isSystem && (
                <ButtonLink needs={vpcRouterRouteCreate} to={path} size="sm">
                  {text.addRouteLabel}
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
      <PropertiesTable.Row label={common.descriptionLabel}>
        <DescriptionCell text={router.description} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={text.kindLabel}>
        <KindBadge kind={router.kind} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={common.createdLabel}>
        <DateTime value={router.timeCreated} />
      </PropertiesTable.Row>
      <PropertiesTable.Row label={shared.lastModifiedLabel}>
        <DateTime value={router.timeModified} />
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}
