import type { RouterRoute } from '~/api/generated/types.gen'
import * as common from '~/messages/common'
import * as text from '~/messages/router-screens'
import {
  KindBadge,
  ROUTE_TYPE_LABELS,
  RoutePartBadges,
  routePartText,
} from '~/resource/router-route'
import type { Column, ColumnFilter } from '~/ui/table-column'

type PartType = keyof typeof ROUTE_TYPE_LABELS

const byType = (typeOf: (route: RouterRoute) => PartType): ColumnFilter<RouterRoute> => ({
  value: typeOf,
  label: (type) => ROUTE_TYPE_LABELS[type as PartType],
})

/** The columns of the routes of a router. */
export const routeColumns: Column<RouterRoute>[] = [
  { id: 'name', header: common.nameLabel, isName: true, cell: ({ name }) => name },
  {
    id: 'kind',
    header: text.kindLabel,
    width: 120,
    filter: {},
    value: ({ kind }) => kind,
    cell: ({ kind }) => <KindBadge kind={kind} />,
  },
  {
    id: 'destination',
    header: text.destinationColumnLabel,
    width: 240,
    isKey: true,
    filter: byType(({ destination }) => destination.type),
    value: ({ destination }) => routePartText(destination),
    cell: ({ destination }) => <RoutePartBadges part={destination} />,
  },
  {
    id: 'target',
    header: text.targetColumnLabel,
    width: 240,
    filter: byType(({ target }) => target.type),
    value: ({ target }) => routePartText(target),
    cell: ({ target }) => <RoutePartBadges part={target} />,
  },
]
