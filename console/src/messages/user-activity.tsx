/** Texts about the sessions and access tokens of a user. */

export const signedInLabel = 'Signed in'
export const lastUsedLabel = 'Last used'
export const expiresLabel = 'Expires'
export const neverExpiresLabel = 'Never'
export const signOutTitle = 'Confirm sign out everywhere'
export const signOutQuestion = (name: string) => (
  <>
    Are you sure you want to end every session of <b>{name}</b> and delete all of their access
    tokens?
  </>
)
export const signOutLabel = 'Sign out everywhere'
export const signOutErrorTitle = 'Could not sign out the user'
export const signedOutToast = (name: string) => (
  <>
    <b>{name}</b> signed out everywhere
  </>
)
export const activityTitle = 'Sessions and tokens'
export const nothingToEndError = 'There are no sessions or tokens to end'
export const sessionsTitle = 'Sessions'
export const noSessionsText = 'Not signed in anywhere'
export const tokensTitle = 'Access tokens'
export const noTokensText = 'No access tokens'
export const signOutHelp =
  'The user has to sign in again, and programs that use one of the tokens stop working until they get a new one.'
export const signOutOwnHelp =
  'The user has to sign in again, and programs that use one of the tokens stop working until they get a new one. This is your own account, so you are signed out too.'
