// Texts of the screens of internet gateways.

export const viewTitle = 'Internet gateway'
export const viewText = (
  <>
    Internet gateways can be changed only through the API. Learn more in{' '}
    <a href="/explorer?operation=internet_gateway_create">Networking</a>.
  </>
)
export const addressLabel = 'IP Address'
export const poolAddressText = 'No address is attached. One from the attached IP pool is used.'
export const nothingAttachedText =
  'No IP address or IP pool is attached. Attach one through the API.'
export const noPoolText = 'No IP pool is attached.'
export const poolNameLabel = 'IP Pool Name'
export const routerColumnLabel = 'Router'
export const routeColumnLabel = 'Route'
export const routesTitle = 'Routes targeting this gateway'
export const routesLabel = 'Routes targeting this gateway'
export const noRoutesText = 'No VPC router routes target this gateway.'
export const emptyTitle = 'No internet gateways'
export const emptyHelp = 'Create an internet gateway to see it here'
export const poolColumnLabel = 'Attached IP Pool'
export const addressColumnLabel = 'Attached IP Address'
export const addressColumnHelp = 'A gateway without an address uses one from its IP pool.'
export const routesColumnLabel = 'Routes'
export const tableLabel = 'Internet gateways'
export const addressesTitle = (count: number) =>
  count > 1 ? 'Internet gateway IP addresses' : 'Internet gateway IP address'
export const poolsTitle = (count: number) =>
  count > 1 ? 'Internet gateway IP pools' : 'Internet gateway IP pool'
