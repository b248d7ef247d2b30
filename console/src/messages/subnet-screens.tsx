// Texts of the screens of subnets.

export const updatedToast = (name: string) => (
  <>
    Subnet <b>{name}</b> updated
  </>
)
export const editTitle = 'Edit subnet'
export const updateButtonLabel = 'Update subnet'
export const ipv4BlockLabel = 'IPv4 block'
export const ipv6BlockLabel = 'IPv6 block'
export const createdToast = (name: string) => (
  <>
    Subnet <b>{name}</b> created
  </>
)
export const createTitle = 'Create subnet'
export const ipv6BlockHelp = 'Leave blank to use a free block of the VPC’s prefix.'
export const tableLabel = 'Subnets'
export const newButtonLabel = 'New subnet'
export const emptyTitle = 'No VPC subnets'
export const emptyHelp = 'Create a subnet to see it here'
export const blockColumnLabel = 'IP Block'
export const routerColumnLabel = 'Custom Router'
