/** Why a passkey cannot be used. */

export const httpsError =
  'Passkeys require HTTPS. Open Croft at an address that starts with https://.'
export const unsupportedError = 'This browser does not support passkeys.'
export const hostNameError =
  'Passkeys require a host name. Open Croft at its host name instead of its IP address.'
export const canceledError = 'The passkey request was canceled or timed out. Try again.'
export const alreadyThereError = 'You already have a passkey on this device.'
export const addressError =
  'The browser does not allow passkeys at this address. Open Croft at its usual address.'

export const failedError = (reason: string) => `The browser could not use a passkey: ${reason}`
