import type { ReactNode } from 'react'

/** Texts of the screens for passwords and second factors in the settings. */

export const docsTitle = 'Learn about signing in'
export const docsHelp =
  'With a second factor, a guessed or stolen password is not enough to sign in. An authenticator app shows a code that changes every 30 seconds. A passkey is stored on a device or in a password manager and works only for this host name.'
export const docsLabel = 'Second factors in the API explorer'
export const signInTitle = 'Sign-in'
export const noPasswordHelp =
  'You sign in through your organization’s identity provider. Manage your password and second factors there.'
export const passwordTitle = 'Password'
export const passwordHelp = 'Changing it ends your other sessions and revokes your access tokens.'
export const changePasswordLabel = 'Change password'
export const nameLabel = 'name'
export const kindLabel = 'Kind'
export const lastUsedLabel = 'Last used'
export const neverUsedText = 'Never'
export const renameLabel = 'Rename'
export const secondFactorRequiredError =
  'Your silo requires a second factor. Add another one before you remove this one.'
export const secondFactorsTitle = 'Second factors'
export const requiredSecondFactorsHelp = 'Requested after the password. Your silo requires one.'
export const secondFactorsHelp = 'If you add one, it is requested after the password.'
export const addAuthenticatorAppLabel = 'Add authenticator app'
export const addPasskeyLabel = 'Add passkey'
export const noSecondFactorsHelp =
  'You have no second factors: anyone who knows your password can sign in as you. Adding one ends your other sessions.'
export const secondFactorsLabel = 'Second factors'
export const recoveryCodesTitle = 'Recovery codes'
export const recoveryCodesHelp = 'Each code works once in place of a second factor.'
export const noRecoveryCodesError = 'You get recovery codes with your first second factor'
export const generateNewCodesLabel = 'Generate new codes'
export const noneLeftLabel = 'none left'
export const fewLeftLabel = 'few left'
export const noRecoveryCodesHelp = 'You get recovery codes with your first second factor.'
export const secondFactorAddedToast = (name: string) => (
  <>
    Second factor <b>{name}</b> added
  </>
)

export const codesLeftText = (count: ReactNode) => <>{count} left</>
export const codesLeftSinceText = (count: ReactNode, time: ReactNode) => (
  <>
    {count} left, generated {time}
  </>
)
