import type { ReactNode } from 'react'

/** Texts of the screens for signing in on a device. */

export const codeLabel = 'Code'
export const loggedInTitle = 'Device logged in'
export const closeWindowHelp = 'You can close this window'
export const invalidCodeError = 'Code is invalid'
export const authenticationTitle = 'Device Authentication'
export const compareCodeHelp = 'Continue only if your device shows exactly this code.'
export const enterCodeHelp = 'Enter the code shown on your device'
export const loggedInError = 'The device is logged in'
export const incompleteCodeError = 'Enter all eight letters of the code'
export const logInOnDeviceLabel = 'Log in on device'
export const characterLabel = (number: number) => `Character ${number}.`
export const accountHelp = (user: ReactNode, silo: ReactNode) => (
  <>
    The device will act as {user} in the silo {silo}, with all of your permissions. Continue only
    with a code from a device or program that you started yourself.
  </>
)
