// Texts of the panel with the details of an instance beside the list.

export const panelLabel = (name: string) => `Details of ${name}`
export const serialConsoleLabel = 'Serial console'
export const openLabel = 'Open page'
export const disksLabel = 'disks'
export const groupsLabel = 'anti-affinity'
export const activityLabel = 'last activity'
export const goneText =
  'The instance cannot be read. It may have been deleted or renamed: choose another in the list.'
