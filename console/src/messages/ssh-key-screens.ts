/** Texts of the screens for SSH keys in the settings. */

export const sshKeysTitle = 'SSH Keys'
export const sshKeysLabel = 'SSH keys'
export const docsTitle = 'Learn about SSH keys'
export const docsHelp =
  'An SSH key gives you access to your instances. Keys are copied to an instance when it is created. Keys that you add later are not.'
export const docsLabel = 'SSH keys in the API explorer'
export const addSshKeyLabel = 'Add SSH key'
export const emptyTitle = 'No SSH keys'
export const emptyHelp = 'Add an SSH key to see it here'
export const copyPublicKeyLabel = 'Copy public key'
export const viewLabel = 'View'
export const viewSshKeyTitle = 'View SSH key'
export const idLabel = 'ID'
export const createdLabel = 'Created'
export const updatedLabel = 'Updated'
export const publicKeyLabel = 'Public key'
