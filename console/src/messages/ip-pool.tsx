/** Texts about IP pools. */

export const deleteHelp =
  'It is unlinked from every silo. A pool that contains ranges cannot be deleted.'
export const deletedToast = (name: string) => (
  <>
    Pool <b>{name}</b> deleted
  </>
)
export const docsTitle = 'Learn about IP pools'
export const docsHelp =
  'An IP pool is a set of external addresses. Users in linked silos allocate addresses from it for instances and floating IPs. A silo’s default pool is used when no pool is specified.'
export const poolsLabel = 'IP Pools'
export const visibilityHelp = 'Users in linked silos can see the pool’s name and description.'
export const defaultLabel = 'default'

export const version4Label = 'v4'
export const version6Label = 'v6'
