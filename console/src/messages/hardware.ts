/** Texts about sleds and physical disks in the inventory. */

export const expungedSledLabel = 'Expunged'
export const sledInServiceLabel = 'In service'
export const provisionableLabel = 'Provisionable'
export const notProvisionableLabel = 'Not provisionable'
export const diskInServiceLabel = 'in service'
export const expungedDiskLabel = 'expunged'

export const idColumnLabel = 'id'
export const formFactorLabel = 'Form factor'
export const modelNumberLabel = 'model number'
export const serialNumberLabel = 'serial number'
export const policyLabel = 'policy'
export const stateLabel = 'state'
export const sledLabel = 'sled'
export const viewSledLabel = 'View sled'
