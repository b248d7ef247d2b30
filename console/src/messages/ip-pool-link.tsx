/** Texts about links between IP pools and silos. */

export const linkLabel = 'Link'
export const linkHelp = 'Users in the silo will be able to allocate addresses from the pool.'
export const clearDefaultLabel = 'Clear default'
export const makeDefaultLabel = 'Make default'
export const unlinkLabel = 'Unlink'
export const changeDefaultTitle = 'Confirm change default'
export const makeDefaultTitle = 'Confirm make default'
export const changeDefaultQuestion = (from: string, to: string) => (
  <>
    Are you sure you want to change the default pool from <b>{from}</b> to <b>{to}</b>?
  </>
)
export const makeDefaultQuestion = (pool: string) => (
  <>
    Are you sure you want to make <b>{pool}</b> the default pool for this silo?
  </>
)
export const changeDefaultErrorTitle = 'Could not change default'
export const makeDefaultErrorTitle = 'Could not make default'
export const clearDefaultTitle = 'Confirm clear default'
export const clearDefaultQuestion = (pool: string) => (
  <>
    Are you sure you want <b>{pool}</b> to stop being the default pool for this silo? Without a
    default pool, users must select a pool whenever they allocate an address.
  </>
)
export const clearDefaultErrorTitle = 'Could not clear default'
export const unlinkTitle = 'Confirm unlink pool'
export const unlinkQuestion = (pool: string) => (
  <>
    Are you sure you want to unlink <b>{pool}</b>?
  </>
)
export const unlinkHelp =
  'Users in this silo can no longer allocate addresses from it. Unlinking fails while addresses from the pool are in use in the silo.'
export const unlinkedToast = 'IP pool unlinked'
export const unlinkErrorTitle = 'Could not unlink pool'
export const linkTitle = { pool: 'Link pool', silo: 'Link silo' }
export const linkErrorTitle = { pool: 'Could not link pool', silo: 'Could not link silo' }
export const linkPlaceholder = { pool: 'Select a pool', silo: 'Select a silo' }
export const nothingToLinkText = { pool: 'No pools left to link', silo: 'No silos left to link' }
