/** Texts about the person's own password. */

export const changedToast = 'Password changed'
export const changeTitle = 'Change password'
export const changeLabel = 'Change password'
export const changeHelp =
  'All your other sessions end and all your access tokens are revoked. Programs that use a token need a new one.'
export const currentPasswordLabel = 'Current password'
export const newPasswordLabel = 'New password'
export const repeatPasswordLabel = 'Repeat the new password'
export const mismatchError = 'The passwords do not match'
