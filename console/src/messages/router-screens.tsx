// Texts of the screens of routers and their routes.

export const updatedToast = (name: string) => (
  <>
    Router <b>{name}</b> updated
  </>
)
export const editTitle = 'Edit router'
export const updateButtonLabel = 'Update router'
export const createdToast = (name: string) => (
  <>
    Router <b>{name}</b> created
  </>
)
export const createTitle = 'Create router'
export const tableLabel = 'Routers'
export const newButtonLabel = 'New router'
export const emptyTitle = 'No VPC routers'
export const emptyHelp = 'Create a router to see it here'
export const kindColumnLabel = 'kind'
export const ipTypeLabel = 'IP'
export const ipNetworkTypeLabel = 'IP network'
export const subnetTypeLabel = 'Subnet'
export const instanceTypeLabel = 'Instance'
export const gatewayTypeLabel = 'Internet gateway'
export const dropTypeLabel = 'Drop'
export const destinationTypeLabel = 'Destination type'
export const destinationTypePlaceholder = 'Select a destination type'
export const targetTypeLabel = 'Target type'
export const targetTypePlaceholder = 'Select a target type'
export const destinationValueLabel = 'Destination value'
export const targetValueLabel = 'Target value'
export const ipPlaceholder = 'Enter an IP'
export const ipHelp = 'An address, for example 192.168.1.222'
export const ipNetworkPlaceholder = 'Enter an IP network'
export const ipNetworkHelp = 'A network, for example 192.168.0.0/16'
export const subnetPlaceholder = 'Select a subnet'
export const gatewayPlaceholder = 'Select an internet gateway'
export const vpcPlaceholder = 'Select a VPC'
export const docsTitle = 'Learn about routers'
export const docsHelp =
  'A router determines where packets from a subnet are sent. Every VPC has a system router, which connects its subnets to each other and to the outside. In subnets with a custom router, its routes take precedence over the system router’s.'
export const docsRoutersLinkLabel = 'Custom Routers'
export const kindLabel = 'Kind'
export const destinationColumnLabel = 'Destination'
export const targetColumnLabel = 'Target'
export const actionsLabel = 'Router actions'
export const routesTitle = 'Routes'
export const systemRouterError = 'User-provided routes cannot be added to a system router'
export const newRouteLabel = 'New route'
export const routesLabel = 'Routes'
export const noRoutesTitle = 'No routes'
export const noRoutesHelp = 'Add a route to see it here'
export const addRouteLabel = 'Add route'
export const routeUpdatedToast = (name: string) => (
  <>
    Route <b>{name}</b> updated
  </>
)
export const editRouteTitle = 'Edit route'
export const updateRouteLabel = 'Update route'
export const defaultRouteText = 'Only the target of a default route can be changed.'
export const routeCreatedToast = (name: string) => (
  <>
    Route <b>{name}</b> created
  </>
)
export const createRouteTitle = 'Create route'
