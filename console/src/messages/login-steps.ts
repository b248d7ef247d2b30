/** The steps after the password, when signing in. */

export const passwordsDifferError = 'The passwords do not match'
export const changePasswordLabel = 'Change password'
export const changingPasswordLabel = 'Changing the password'
export const changePasswordError = 'Could not change the password. Try again.'
export const choosePasswordTitle = 'Choose a new password'
export const choosePasswordHelp =
  'Somebody else set your current password. Choose a new one to continue.'
export const newPasswordLabel = 'New password'
export const repeatPasswordLabel = 'Repeat the new password'
export const setUpTitle = 'Set up a second factor'
export const authenticatorLabel = 'Authenticator app'
export const passkeyLabel = 'Passkey'
export const continueError = 'Could not continue. Try again.'
export const saveCodesTitle = 'Save your recovery codes'
export const codesNotSavedError = 'Save the codes, then select the checkbox above'
export const verifyError = 'Could not verify the second factor. Try again.'
export const otherMethodLabel = 'Use another method'
export const verifyTitle = 'Verify your identity'
export const passkeyHelp = 'Use the passkey that is your second factor.'
export const withRecoveryCodeLabel = 'Use a recovery code'
export const loadingFactorsLabel = 'Loading your second factors'
export const checkingCodeLabel = 'Checking the code'
export const codeHelp = 'Enter the code that your authenticator app shows for Croft.'
export const codeLabel = 'Code'
export const recoveryCodeLabel = 'Recovery code'
export const recoveryCodeRequiredError = 'Recovery code is required'
export const waitingForPasskeyLabel = 'Waiting for the passkey'
export const withPasskeyLabel = 'Use a passkey'
export const passkeyBlockedHelp = 'Your second factor is a passkey, which cannot be used here.'

export const siloRequiresHelp = (silo: string) =>
  `Silo ${silo} requires a second factor in addition to your password.`

export const recoveryCodeHelp = (left: number) =>
  `Enter one of the codes that you saved when you set up your second factor. Each works once; you have ${left} left.`

export const lostPasskeyHelp =
  'If you have lost it, an administrator of your silo can reset your second factor.'
