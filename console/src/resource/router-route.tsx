import type {
  RouteDestination,
  RouterRoute,
  RouteTarget,
  VpcRouter,
} from '~/api/generated/types.gen'
import * as text from '~/messages/router-route'
import { Badge } from '~/ui/badge'
import { TypeValue } from '~/ui/type-value'

/** The labels of the types of destinations and targets. */
export const ROUTE_TYPE_LABELS = text.typeLabel

/** Why a route that belongs to a subnet cannot be changed. */
export const SUBNET_ROUTE_REASON = text.editSubnetRouteError

/** Why a route cannot be changed; `undefined` if it can. */
export const routeEditRefusal = ({ kind }: Pick<RouterRoute, 'kind'>) =>
  kind === 'vpc_subnet' ? SUBNET_ROUTE_REASON : undefined

/** Why a route cannot be deleted; `undefined` if it can. */
export const routeDeleteRefusal = ({ kind }: Pick<VpcRouter, 'kind'>) =>
  kind === 'system' ? text.deleteSystemRouteError : undefined

/** The destination or target of a route as text: `VPC subnet default`, `Drop`. */
export const routePartText = (part: RouteDestination | RouteTarget) =>
  part.type === 'drop' ? text.typeLabel.drop : `${ROUTE_TYPE_LABELS[part.type]} ${part.value}`

/** The kind of a route or of a router. */
export const KindBadge = ({ kind }: { kind: RouterRoute['kind'] | VpcRouter['kind'] }) => (
  <Badge tone="neutral">{kind.replaceAll('_', ' ')}</Badge>
)

/** The type and value of a destination or target. A target that drops packets has no value. */
export function RoutePartBadges({ part }: { part: RouteDestination | RouteTarget }) {
  if (part.type === 'drop') return <Badge tone="neutral">{text.typeLabel.drop}</Badge>
  return <TypeValue type={ROUTE_TYPE_LABELS[part.type]} value={part.value} />
}
