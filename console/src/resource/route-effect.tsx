import { useQuery } from '@tanstack/react-query'
import { useWatch } from 'react-hook-form'
import type { Control } from 'react-hook-form'

import type { ProposedRoute, RouterRoute } from '~/api/generated/types.gen'
import { validateIp, validateIpNet } from '~/lib/ip'

import { ReachabilityEffect } from './reachability-effect'
import { routeBody } from './router-route-form'
import type { RouteFormValues } from './router-route-form'
import type { VpcParams } from './vpc-path'
import { routerRoutes } from './vpc-queries'

/** How a new route is called. Names decide nothing, so nothing is asked while one is typed. */
const UNNAMED = 'this-route'

interface RouteEffectProps {
  of: VpcParams
  router: string
  /** The name of the route that is changed; `undefined` for a new one. */
  changed?: string
  control: Control<RouteFormValues>
}

/** What the route in the form would change; nothing while it is incomplete. */
export function RouteEffect({ of, router, changed, control }: RouteEffectProps) {
  const values = useWatch({ control }) as RouteFormValues
  const { data } = useQuery(routerRoutes(of, router))
  if (!data || !isComplete(values)) return null
  const { destination, target } = routeBody(values)
  const others = data.items.filter(({ name }) => name !== changed)
  const isTaken = others.some(({ name }) => name === UNNAMED)
  const name = changed ?? (isTaken ? `${UNNAMED}-2` : UNNAMED)
  const routes = [...others.map(proposed), { name, destination, target }]
  return <ReachabilityEffect of={of} changes={{ routers: [{ router, routes }] }} />
}

interface RouteDeletionEffectProps {
  of: VpcParams
  router: string
  name: string
}

/** What the deletion of a route would change. */
export function RouteDeletionEffect({ of, router, name }: RouteDeletionEffectProps) {
  const { data } = useQuery(routerRoutes(of, router))
  if (!data) return null
  const routes = data.items.filter((route) => route.name !== name).map(proposed)
  return <ReachabilityEffect of={of} changes={{ routers: [{ router, routes }] }} />
}

const proposed = ({ name, destination, target }: RouterRoute): ProposedRoute => ({
  name,
  destination,
  target,
})

function isComplete(values: RouteFormValues): boolean {
  const { destinationType, destinationValue, targetType, targetValue } = values
  const isTarget = targetType === 'drop' || isValue(targetType, targetValue)
  return isTarget && isValue(destinationType, destinationValue)
}

function isValue(type: string, value: string): boolean {
  if (type === 'ip') return validateIp(value) === undefined
  if (type === 'ip_net') return validateIpNet(value) === undefined
  return value !== ''
}
