/** Texts about affinity and anti-affinity groups. */

export const addToGroupTitle = 'Add to anti-affinity group'
export const addToGroupLabel = 'Add to group'
export const groupLabel = 'Anti-affinity group'
export const groupPlaceholder = 'Select a group'
export const noGroupsText = 'No groups found'
export const docsTitle = 'Learn about affinity'
export const docsHelp =
  'Members of an anti-affinity group are placed on different sleds when they start, so that a sled failure does not affect all of them. The policy determines whether an instance may start when no separate sled is available.'
export const groupsApiLabel = 'Anti-affinity groups in the API explorer'
export const antiAffinityLabel = 'anti-affinity'
export const deleteGroupHelp = 'Its members keep running where they are.'
export const groupDeletedToast = (name: string) => (
  <>
    Anti-affinity group <b>{name}</b> deleted
  </>
)
