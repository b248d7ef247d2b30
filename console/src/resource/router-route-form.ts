import type {
  RouteDestination,
  RouterRoute,
  RouterRouteCreate,
  RouterRouteUpdate,
  RouteTarget,
} from '~/api/generated/types.gen'

/** What a person enters for a route. Which value is meant depends on the type beside it. */
export interface RouteFormValues {
  name: string
  description: string
  destinationType: RouteDestination['type']
  destinationValue: string
  targetType: RouteTarget['type']
  targetValue: string
}

/** A new route's form. */
export const ROUTE_FORM_DEFAULTS: RouteFormValues = {
  name: '',
  description: '',
  destinationType: 'ip',
  destinationValue: '',
  targetType: 'ip',
  targetValue: '',
}

/** The form of a route that exists. */
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
 * The changes that the form describes. Of a `default` route only the target may change: the server refuses even a name that is the old
 * one, and wants the destination as it stands.
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
