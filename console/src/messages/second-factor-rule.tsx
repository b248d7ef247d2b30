/** Texts about whether a silo requires a second factor. */

export const ruleTitle = 'Require a second factor'
export const requiredHelp =
  'Users who sign in with a password must set up a second factor before they can continue, and cannot remove their last one. Existing sessions and access tokens are not affected.'
export const optionalHelp =
  'Second factors are optional. Users who have one are always asked for it.'
export const requireTitle = 'Require a second factor?'
export const stopRequiringTitle = 'Stop requiring a second factor?'
export const requireQuestion = (silo: string) => (
  <>
    Users in silo <b>{silo}</b> who sign in with a password and have no second factor must set one
    up at the next sign-in. Open sessions are not affected.
  </>
)
export const stopRequiringQuestion = (silo: string) => (
  <>
    Users in silo <b>{silo}</b> without a second factor can sign in with the password alone, and
    users can remove their second factors.
  </>
)
export const requireLabel = 'Require'
export const stopRequiringLabel = 'Stop requiring'
export const changeErrorTitle = 'Could not change the requirement'
export const requiredToast = 'A second factor is now required'
export const notRequiredToast = 'A second factor is no longer required'
