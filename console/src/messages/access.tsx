import type { ReactNode } from 'react'

import type { Role } from '~/resource/role'

/** Texts about roles and access to silos and projects. */

export const siloRoleLabel = 'Silo role'
export const projectRoleLabel = 'Project role'
export const groupRoleLabel = (group: string) => `Group ${group}`
export const siloRoleOfGroupLabel = (group: string) => `Silo role of group ${group}`
export const userLabel = 'User'
export const groupLabel = 'Group'
export const roleLabel = 'Role'
export const otherRolesTitle = 'Other roles'
export const effectiveRoleLabel = 'Effective role'
export const sourceLabel = 'From'
export const otherSourcesTitle = 'Also from'
export const projectRoleHelp =
  'Silo roles apply to every project in the silo: silo admins and collaborators are project admins, and silo viewers are project viewers. If a user has several roles, the strongest applies.'
export const changeRoleTitle = 'Confirm role change'
export const changeRoleErrorTitle = 'Could not change role'
export const deleteRoleTitle = 'Confirm delete'
export const deleteRoleQuestion = (role: ReactNode, name: ReactNode) => (
  <>
    Are you sure you want to delete the <b>{role}</b> role for <b>{name}</b>?
  </>
)
export const removedToast = 'Access removed'
export const deleteRoleErrorTitle = 'Could not delete resource'
export const rolePlaceholder = 'Select a role'
export const addTitle = 'Add user or group'
export const assignRoleLabel = 'Assign role'
export const assignedToast = 'Role assigned'
export const userOrGroupLabel = 'User or group'
export const userOrGroupPlaceholder = 'Select a user or group'
export const noCandidatesText = 'All users and groups in the silo already have a role'
export const updateRoleLabel = 'Update role'
export const changeRoleForTitle = {
  silo: (name: string) => `Change silo role for ${name}`,
  project: (name: string) => `Change project role for ${name}`,
}
export const updatedToast = 'Role updated'
export const ownAccessLossTitle = 'This removes your own access'
export const lostCapabilitiesText = 'You will no longer be able to'
export const systemPagesCapabilityText =
  'view the system pages, if your access to them comes from your role on the silo'
export const noAdminLeftTitle = 'No admin would be left'
export const noSiloAdminLeftText =
  'Nobody in the silo will be able to change roles. Only an operator can restore the role.'
export const noProjectAdminLeftText = 'Nobody will be able to change roles on the project.'
export const docsTitle = 'Learn about access'
export const docsHelp =
  'Users and groups are assigned roles on the silo and on its projects. A silo role applies to every project in the silo. If a user has several roles, the strongest applies. Members inherit their groups’ roles.'
export const siloPolicyApiLabel = 'Silo policy in the API explorer'
export const projectPolicyApiLabel = 'Project policy in the API explorer'
export const addLabel = 'Add user or group'
export const changeRoleLabel = 'Change role'
export const viewActivityLabel = 'View sessions and tokens'
export const siloAccessTitle = 'Silo Access'
export const projectAccessTitle = 'Project Access'
export const siloAccessLabel = 'Silo access'
export const projectAccessLabel = 'Project access'
export const emptyTitle = 'No authorized users'
export const emptyHelp = {
  silo: 'Give permission to view, edit, or administer this silo',
  project: 'Give permission to view, edit, or administer this project',
}
export const addToProjectLabel = 'Add user or group to project'
export const policyFullError = {
  silo: (limit: number) =>
    `A silo can have at most ${limit} role assignments. Assign roles to groups, or delete an assignment first.`,
  project: (limit: number) =>
    `A project can have at most ${limit} role assignments. Assign roles to groups, or delete an assignment first.`,
}
export const adminLabel = 'Admin'
export const collaboratorLabel = 'Collaborator'
export const viewerLabel = 'Viewer'
type ByRole = Record<'silo' | 'project', Record<Role, string>>

/** What each role allows in addition to the next weaker one. */
export const roleHelp: ByRole = {
  silo: {
    admin: 'Can change the silo’s roles, user sessions and settings',
    collaborator: 'Can create projects, and change everything in all projects',
    viewer: 'Can view all projects and images of the silo',
  },
  project: {
    admin: 'Can change the project’s roles, rename it and delete it',
    collaborator: 'Can create, change and delete the project’s resources',
    viewer: 'Can view the project and its resources',
  },
}
/** The same, as entries of the list below `lostCapabilitiesText`. */
export const lostCapabilityText: ByRole = {
  silo: {
    admin: 'change the silo’s roles, user sessions and settings',
    collaborator: 'create projects, and change everything in all projects',
    viewer: 'view all projects and images of the silo',
  },
  project: {
    admin: 'change the project’s roles, rename it and delete it',
    collaborator: 'create, change and delete the project’s resources',
    viewer: 'view the project and its resources',
  },
}
export const changeRoleQuestion: Record<Role, (name: ReactNode) => ReactNode> = {
  admin: (name) => (
    <>
      Are you sure you want to make <b>{name}</b> an <b>admin</b>?
    </>
  ),
  collaborator: (name) => (
    <>
      Are you sure you want to make <b>{name}</b> a <b>collaborator</b>?
    </>
  ),
  viewer: (name) => (
    <>
      Are you sure you want to make <b>{name}</b> a <b>viewer</b>?
    </>
  ),
}
export const ineffectiveRoleText: Record<Role, (name: string) => string> = {
  admin: (name) =>
    `${name} is an admin of this project already, through a silo role or a group. The new role has no effect while that role exists.`,
  collaborator: (name) =>
    `${name} is a collaborator of this project already, through a silo role or a group. The new role has no effect while that role exists.`,
  viewer: (name) =>
    `${name} is a viewer of this project already, through a silo role or a group. The new role has no effect while that role exists.`,
}
export const changeRoleError = {
  user: "You don't have permission to change this user's role",
  group: "You don't have permission to change this group's role",
}
export const deleteRoleError = {
  user: "You don't have permission to delete this user",
  group: "You don't have permission to delete this group",
}
