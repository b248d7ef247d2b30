import type {
  RouteDestination,
  RouterRoute,
  RouteTarget,
  VpcRouter,
} from '~/api/generated/types.gen'
import * as text from '~/messages/router-route'
import { Badge } from '~/ui/badge'
import { TypeValue } from '~/ui/type-value'

/** What a route's destination or target can be, in words. */
export const ROUTE_TYPE_LABELS = text.typeLabel

/** Why a route that belongs to a subnet stays as it is. */
export const SUBNET_ROUTE_REASON = text.editSubnetRouteError

/** Why a route cannot be changed at all, if so. */
export const routeEditRefusal = ({ kind }: Pick<RouterRoute, 'kind'>) =>
  kind === 'vpc_subnet' ? SUBNET_ROUTE_REASON : undefined

/** Why a route cannot be deleted, if so. */
export const routeDeleteRefusal = ({ kind }: Pick<VpcRouter, 'kind'>) =>
  kind === 'system' ? text.deleteSystemRouteError : undefined

/** Where a route leads from or to, in one line of text: `VPC subnet default`, `Drop`. */
export const routePartText = (part: RouteDestination | RouteTarget) =>
  part.type === 'drop' ? text.typeLabel.drop : `${ROUTE_TYPE_LABELS[part.type]} ${part.value}`

/** The kind of a route or of a router. */
export const KindBadge = ({ kind }: { kind: RouterRoute['kind'] | VpcRouter['kind'] }) => (
  <Badge tone="neutral">{kind.replaceAll('_', ' ')}</Badge>
)

/** Destination or target of a route: what it is, and which. A target that drops the packet has no value. */
export function RoutePartBadges({ part }: { part: RouteDestination | RouteTarget }) {
  if (part.type === 'drop') return <Badge tone="neutral">{text.typeLabel.drop}</Badge>
  return <TypeValue type={ROUTE_TYPE_LABELS[part.type]} value={part.value} />
}
