/** Texts about silos. */

export const deleteHelp =
  'Its users, groups, roles, identity providers and certificates are deleted too, and its users are signed out. A silo that contains projects cannot be deleted.'
export const deletedToast = (name: string) => (
  <>
    Silo <b>{name}</b> deleted
  </>
)
export const docsTitle = 'Learn about silos'
export const docsHelp =
  'A silo is an isolated tenant with its own users, groups, projects and quotas. Users of one silo cannot see another silo. Operators create silos, and configure how their users sign in and how much they can use.'
export const silosLabel = 'Silos'
export const identityProvidersLabel = 'Identity Providers'
export const ipPoolsLabel = 'IP Pools'
export const accessControlLabel = 'Access Control'
export const wholeNumberError = 'Must be a whole number'
