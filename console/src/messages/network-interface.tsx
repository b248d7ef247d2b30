/** Texts about network interfaces. */

export const makePrimaryLabel = 'Make primary'
export const alreadyPrimaryError = 'This network interface is already set as primary'
export const deletePrimaryError =
  'Another network interface must be made primary before this one can be deleted'
export const makePrimaryErrorTitle = 'Could not make network interface primary'
export const madePrimaryToast = (name: string) => (
  <>
    Network interface <b>{name}</b> made primary
  </>
)
export const deletedToast = (name: string) => (
  <>
    Network interface <b>{name}</b> deleted
  </>
)
export const addTitle = 'Add network interface'
export const nameTakenError = 'Name is already in use'
export const vpcLabel = 'VPC'
export const vpcPlaceholder = 'Select a VPC'
export const subnetLabel = 'Subnet'
export const subnetPlaceholder = 'Select a subnet'
export const noSubnetsText = 'No subnets found'
export const noVpcSelectedText = 'Select a VPC to see subnets'
export const ipAddressLabel = 'IP Address'
export const ipAddressHelp = 'Leave blank to assign an address automatically.'
