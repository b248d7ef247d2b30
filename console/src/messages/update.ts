/** Texts about system updates. */

export const docsTitle = 'Learn about updates'
export const docsHelp =
  'A system release is uploaded as a repository of The Update Framework (TUF) in a zip archive. Croft accepts it if a trusted root role verifies it, checks every file and stores it. The target release is the one that the system should run. Nothing is installed automatically.'
export const repositoriesLabel = 'Repositories'
export const targetReleaseLabel = 'Target release'
export const trustRootsLabel = 'Trust roots'
