import type {
  RouteDestination,
  RouterRoute,
  RouterRouteCreate,
  RouterRouteUpdate,
  RouteTarget,
} from '~/api/generated/types.gen'

/** The values of the form for a route. The meaning of a value depends on the type. */
export interface RouteFormValues {
  name: string
  description: string
  destinationType: RouteDestination['type']
  destinationValue: string
  targetType: RouteTarget['type']
  targetValue: string
}

/** The initial values of the form for a new route. */
export const ROUTE_FORM_DEFAULTS: RouteFormValues = {
  name: '',
  description: '',
  destinationType: 'ip',
  destinationValue: '',
  targetType: 'ip',
  targetValue: '',
}

/** The initial values of the form for an existing route. */
export function routeFormValues(route: RouterRoute): RouteFormValues {
  const { name, description, destination, target } = route
  return {
    name,
    description,
    destinationType: destination.type,
    destinationValue: destination.value,
    targetType: target.type,
    targetValue: target.type === 'drop' ? '' : target.value,
  }
}

/** The route that the form describes. */
export function routeBody(values: RouteFormValues): RouterRouteCreate {
  const { name, description } = values
  return { name, description, destination: destinationOf(values), target: targetOf(values) }
}

/**
 * The body of the update that the form describes. Only the target of a `default` route can be changed: the server refuses any name and
 * requires the current destination.
 */
export function routeChanges(values: RouteFormValues, route: RouterRoute): RouterRouteUpdate {
  if (route.kind !== 'default') return routeBody(values)
  return { destination: route.destination, target: targetOf(values) }
}

const destinationOf = ({
  destinationType,
  destinationValue,
}: RouteFormValues): RouteDestination => ({
  type: destinationType,
  value: destinationValue,
})

const targetOf = ({ targetType, targetValue }: RouteFormValues): RouteTarget =>
  targetType === 'drop' ? { type: 'drop' } : { type: targetType, value: targetValue }
