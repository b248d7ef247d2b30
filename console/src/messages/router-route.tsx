import type { RouteDestination, RouteTarget } from '~/api/generated/types.gen'

/** Texts about the routes of a router. */

export const deleteTitle = 'Confirm remove route'
export const deleteQuestion = (name: string) => (
  <>
    Are you sure you want to delete route <b>{name}</b>?
  </>
)
export const deleteErrorTitle = 'Could not remove route'
export const deletedToast = 'Route deleted'
export const editSubnetRouteError =
  'Routes of type VPC Subnet within the system router are not modifiable'
export const deleteSystemRouteError = 'System routes cannot be deleted'
export const typeLabel: Record<RouteDestination['type'] | RouteTarget['type'], string> = {
  ip: 'IP',
  ip_net: 'IP network',
  instance: 'Instance',
  internet_gateway: 'Gateway',
  subnet: 'VPC subnet',
  vpc: 'VPC',
  drop: 'Drop',
}
