/** Texts of the screens for the profile in the settings. */

export const noGroupsTitle = 'No groups'
export const noGroupsHelp =
  'You are not a member of any groups. Members inherit their groups’ roles.'
export const profileTitle = 'Profile'
export const displayNameLabel = 'Display name'
export const userIdLabel = 'User ID'
export const copyUserIdLabel = 'Copy user ID'
export const siloLabel = 'Silo'
export const groupsTitle = 'Groups'
export const groupsLabel = 'Groups'
export const managedHelp =
  'Your organization manages this information. An administrator can change it.'
export const deletionsTitle = 'Deletions'
export const holdDeletionsLabel = 'Hold deletions back'
export const deletionsHelp = (seconds: number) =>
  `Wait ${seconds} seconds after “Confirm”, so that a deletion can be undone. Kept in this browser.`
