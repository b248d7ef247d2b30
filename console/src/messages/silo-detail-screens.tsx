import type { ReactNode } from 'react'

import type { Role } from '~/resource/role'

/** Texts of the screens for one silo. */

export const siloActionsLabel = 'Silo actions'
/** Heading of the actions of a silo in the palette. */
export const actionsLabel = (silo: string) => `Silo '${silo}'`
export const quotasUpdatedToast = 'Quotas updated'
export const editQuotasTitle = 'Edit quotas'
export const updateQuotasLabel = 'Update Quotas'
export const unchangedQuotasError = 'Nothing has been changed'
export const quotaBelowUseHelp =
  'If a quota is lower than what is provisioned, existing resources are kept, but the silo cannot provision more until its use is below the quota.'
export const cpuLabel = 'CPU'
export const memoryLabel = 'Memory'
export const storageLabel = 'Storage'
export const mappedFleetRolesTitle = 'Mapped fleet roles'
export const noFleetRolesHelp =
  'No silo roles map to fleet roles. The mapping is set when a silo is created.'
export const fleetRolesHelp =
  'Users with a role on this silo also have the fleet role that it maps to. The mapping was set when the silo was created.'
export const mapsToLabel = 'maps to'
export const noIpPoolsTitle = 'No IP pools'
export const noIpPoolsHelp = 'Create an IP pool to see it here'
export const newIpPoolLabel = 'New IP pool'
export const defaultColumnLabel = 'Default'
export const defaultPoolLabel = 'default'
export const linkPoolLabel = 'Link pool'
export const ipPoolsLabel = 'IP pools'
export const ipPoolLabel = 'IP pool'
export const resourceLabel = 'Resource'
export const provisionedLabel = 'Provisioned'
export const quotaLabel = 'Quota'
export const quotasLoadingError = 'The quotas are being loaded'
export const editQuotasLabel = 'Edit quotas'
export const quotasLabel = 'Quotas'
export const idLabel = 'ID'
export const createdLabel = 'Created'
export const lastModifiedLabel = 'Last Modified'
export const identityModeLabel = 'Identity mode'
export const discoverableLabel = 'Discoverable'
export const ownUserLabel = 'you'
export const copyLoginPageLabel = 'Copy login page'
export const newUserLabel = 'New user'
export const usersLabel = 'Users'
export const noUsersTitle = 'No users'
export const noUsersHelp =
  'Create a user to see it here. Until then nobody can sign in to this silo.'
export const siloLabel = 'Silo'
export const identityProvidersLabel = 'Identity Providers'
export const ipPoolsTabLabel = 'IP Pools'
export const fleetRolesLabel = 'Fleet roles'
export const createUserTitle = 'Create user'
export const usernameLabel = 'Username'
export const userCreatedToast = (name: string) => (
  <>
    User <b>{name}</b> created
  </>
)

export const siloRoleLabel: Record<Role, string> = {
  admin: 'Silo admin',
  collaborator: 'Silo collaborator',
  viewer: 'Silo viewer',
}
export const fleetRoleLabel: Record<Role, string> = {
  admin: 'Fleet admin',
  collaborator: 'Fleet collaborator',
  viewer: 'Fleet viewer',
}
export const signInText = (address: ReactNode) => <>Users sign in at {address}</>
export const usernameHelp = (path: ReactNode) => (
  <>For signing in at {path}. It cannot be changed later.</>
)
