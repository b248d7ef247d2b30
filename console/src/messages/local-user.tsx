import type { ReactNode } from 'react'

/** Texts about the users of a local-only silo. */

export const setPasswordLabel = 'Set password'
export const disablePasswordLabel = 'Disable password'
export const disableOwnPasswordError =
  'This is your own account. Without a password you could not sign in again.'
export const resetSecondFactorLabel = 'Reset second factor'
export const resetOwnSecondFactorError =
  'This is your own account. Change your second factors in your settings.'
export const deleteOwnUserError = 'This is your own account. Another administrator can delete it.'
export const disablePasswordTitle = 'Confirm disable password'
export const disablePasswordQuestion = (name: string) => (
  <>
    Are you sure you want to disable the password of <b>{name}</b>?
  </>
)
export const disablePasswordHelp =
  'The user is signed out and cannot sign in until a new password is set. Nothing else changes.'
export const confirmDisableLabel = 'Disable'
export const passwordDisabledToast = (name: string) => (
  <>
    Password of <b>{name}</b> disabled
  </>
)
export const disablePasswordErrorTitle = 'Could not disable password'
export const resetSecondFactorTitle = 'Confirm reset second factor'
export const resetSecondFactorQuestion = (name: string) => (
  <>
    Are you sure you want to remove every second factor and recovery code of <b>{name}</b>?
  </>
)
export const resetSecondFactorHelp =
  'The user is signed out, and the user’s access tokens are revoked. The user can then sign in with the password alone, or must set up a new second factor if the silo requires one. Verify that the request really comes from this person.'
export const confirmResetLabel = 'Reset'
export const secondFactorResetToast = (name: string) => (
  <>
    Second factor of <b>{name}</b> reset
  </>
)
export const resetSecondFactorErrorTitle = 'Could not reset the second factor'
export const deleteHelp =
  'The user’s password, sessions, access tokens, SSH keys and group memberships are deleted too. Projects and their resources are kept. A new user with the same name does not get the old roles.'
export const deletedToast = (name: string) => (
  <>
    User <b>{name}</b> deleted
  </>
)
export const newPasswordTitle = 'New password'
export const copyPasswordLabel = 'Copy password'
export const copyPasswordHelp =
  'Copy it now. It cannot be shown again. If you lose it, set a new one.'
export const generatePasswordLabel = 'Generate a password'
export const generatePasswordHelp = 'Shown once, after you submit this form'
export const enterPasswordLabel = 'Enter a password'
export const noPasswordLabel = 'No password'
export const noPasswordHelp = 'The user cannot sign in until a password is set'
export const passwordLabel = 'Password'
export const newPasswordLabel = 'New password'
export const passwordSetToast = (name: string) => (
  <>
    Password of <b>{name}</b> set
  </>
)
export const setPasswordTitle = 'Set password'
export const setPasswordHelp = (name: string) => (
  <>
    The old password of <b>{name}</b> stops working. The user is signed out, and the user’s access
    tokens are revoked.
  </>
)
export const mustChangePasswordText = (name: string) => (
  <>{name} must choose a new password at the next sign-in</>
)
export const passwordText = (user: ReactNode) => <>{user} signs in with this password:</>
