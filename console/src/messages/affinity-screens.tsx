// Texts of the screens of affinity groups, and of an instance's card of its groups.

export const allowPolicyHelp = 'Start the instance on a sled that already runs a member.'
export const failPolicyLabel = 'Fail'
export const failPolicyHelp = 'Do not start the instance until a separate sled is available.'
export const createdToast = (name: string) => (
  <>
    Anti-affinity group <b>{name}</b> created
  </>
)
export const createTitle = 'Add anti-affinity group'
export const createButtonLabel = 'Add group'
export const policyLabel = 'Policy'
export const policyHelp = 'What to do when no separate sled is available.'
export const listTitle = 'Affinity Groups'
export const tableLabel = 'Anti-affinity groups'
export const newButtonLabel = 'New group'
export const emptyTitle = 'No anti-affinity groups'
export const emptyHelp = 'Create an anti-affinity group to see it here'
export const instancesColumnLabel = 'instances'
export const policyColumnHelp = 'Whether members may start when no separate sled is available'
export const mustBeStoppedError = 'An instance must be stopped to add it to a group'
export const memberAddedToast = (instance: string, group: string) => (
  <>
    Instance <b>{instance}</b> added to anti-affinity group <b>{group}</b>
  </>
)
export const addFailedTitle = 'Failed to add instance to group'
export const addMemberTitle = 'Add instance to group'
export const addButtonLabel = 'Add to group'
export const instanceLabel = 'Instance'
export const removeMemberTitle = 'Remove instance from anti-affinity group'
export const removeMemberQuestion = (name: string, group: string) => (
  <>
    Are you sure you want to remove <b>{name}</b> from <b>{group}</b>?
  </>
)
export const removeMemberText = 'It keeps running where it is.'
export const removeFailedTitle = (name: string) => `Error removing ${name}`
export const memberRemovedToast = (name: string, group: string) => (
  <>
    Member <b>{name}</b> removed from anti-affinity group <b>{group}</b>
  </>
)
export const groupFullError = 'Maximum number of members reached'
export const noInstancesError = 'No instances available'
export const allMembersError = 'All instances are already in this group'
export const removeFromGroupLabel = 'Remove from group'
export const membersTitle = 'Members'
export const addInstanceLabel = 'Add instance'
export const noMembersTitle = 'No group members'
export const noMembersHelp = 'Add an instance to the group to see it here'
export const updatedToast = (name: string) => (
  <>
    Anti-affinity group <b>{name}</b> updated
  </>
)
export const editTitle = 'Edit anti-affinity group'
export const editButtonLabel = 'Edit group'
export const actionsGroupLabel = (name: string) => `Anti-affinity group '${name}'`
export const actionsLabel = 'Anti-affinity group actions'
export const membersLabel = 'Members'
export const noGroupsOfInstanceHelp = 'This instance is not a member of any anti-affinity groups'
export const policyOfInstanceHelp = 'Whether members may start when no separate sled is available.'
export const groupsTitle = 'Anti-affinity groups'
export const groupsHelp = 'Members of a group are placed on different sleds.'
export const copyGroupIdLabel = 'Copy group ID'
export const noGroupsError = 'No groups found'
export const allGroupsError = 'Instance is already in all groups'
export const removedFromGroupToast = (instance: string, name: string) => (
  <>
    Instance <b>{instance}</b> removed from anti-affinity group <b>{name}</b>
  </>
)
export const removeFromGroupActionLabel = 'Remove instance from group'
export const removeFromGroupTitle = 'Remove instance from group'
export const removeFromGroupQuestion = (instance: string, name: string) => (
  <>
    Are you sure you want to remove <b>{instance}</b> from the anti-affinity group <b>{name}</b>?
  </>
)
export const removeFromGroupFailedTitle = 'Error removing instance from group'
