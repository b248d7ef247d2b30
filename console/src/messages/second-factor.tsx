import type { ReactNode } from 'react'

import type { SecondFactor } from '~/api/generated/types.gen'

/** Texts about the person's own second factors. */

export const signInAgainTitle = 'Sign in again'
export const signInLabel = 'Sign in'
export const signInErrorTitle = 'Could not open the login page'
export const removeTitle = 'Confirm remove second factor'
export const removeLastHelp =
  'This is your only second factor. Without it, your password alone is enough to sign in. Your recovery codes are deleted and your other sessions end.'
export const removeHelp =
  'Your other second factors and your recovery codes are kept. Your other sessions end.'
export const removeLabel = 'Remove'
export const removeErrorTitle = 'Could not remove the second factor'
export const removedToast = (name: string) => (
  <>
    Second factor <b>{name}</b> removed
  </>
)
export const newCodesTitle = 'Generate new recovery codes?'
export const newCodesQuestion =
  'The codes that you have saved stop working. The new ones are shown once.'
export const newCodesLabel = 'Generate new codes'
export const newCodesErrorTitle = 'Could not generate new recovery codes'
export const recoveryCodesTitle = 'Recovery codes'
export const saveCodesError = 'Save the codes, then select the checkbox above'
export const saveCodesFirstError = 'Save these codes first, then select the checkbox below.'
export const codesFileOwnerText = (user: string, silo: string, host: string) =>
  `Croft recovery codes of ${user} in silo ${silo} at ${host}`
export const codesFileDateText = (date: string) =>
  `Generated on ${date}. Newer codes replace these.`
export const codesFileUseText =
  'Each code works once, after the password, in place of the second factor.'
export const passkeyError = 'The browser could not create a passkey. Try again.'
export const addPasskeyTitle = 'Add a passkey'
export const addPasskeyLabel = 'Add passkey'
export const waitingError = 'Waiting for the server'
export const passkeyHelp =
  'Your browser asks where to store the passkey: on a device or in a password manager. It works only for this host name, so other sites cannot request it.'
export const nameHelp = 'A name to recognize it by'
export const recoveryCodesHelp =
  'Use one of these codes to sign in when your second factor is not available. Each code works once.'
export const keepCodesHelp =
  'These codes cannot be shown again. Keep them in a safe place, separate from your password.'
export const codesSavedLabel = 'I have saved these codes'
export const addAppTitle = 'Add an authenticator app'
export const addAppLabel = 'Add app'
export const generatingKeyError = 'The key is being generated'
export const codeLabel = 'Code'
export const codeHelp = 'The six-digit code that the app shows'
export const generatingKeyLabel = 'Generating a key'
export const scanCodeHelp =
  'Scan this code with an authenticator app, such as your password manager.'
export const enterKeyHelp = 'Or enter this key in the app:'
export const copyKeyLabel = 'Copy key'
export const qrCodeLabel = 'QR code of the key'
export const factorLabel: Record<SecondFactor['kind'], string> = {
  totp: 'Authenticator app',
  passkey: 'Passkey',
}
export const removeQuestion: Record<SecondFactor['kind'], (name: string) => ReactNode> = {
  totp: (name) => (
    <>
      Authenticator app <b>{name}</b> can no longer be used to sign in.
    </>
  ),
  passkey: (name) => (
    <>
      Passkey <b>{name}</b> can no longer be used to sign in.
    </>
  ),
}
