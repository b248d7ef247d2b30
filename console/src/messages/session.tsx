/** Texts about the person's own sessions. */

export const unknownBrowserLabel = 'Unknown'
export const browserLabel = (browser: string, system: string) => `${browser} on ${system}`

export const endTitle = 'Confirm end session'
export const endQuestion = (browser: string) => (
  <>
    Anyone using this session in <b>{browser}</b> has to sign in again.
  </>
)
export const endLabel = 'End session'
export const endErrorTitle = 'Could not end the session'
export const endedToast = 'Session ended'
export const endOthersTitle = 'Confirm end other sessions'
export const endOthersQuestion =
  'You have to sign in again in all other browsers. Access tokens are not affected.'
export const endOthersLabel = 'End other sessions'
export const endOthersErrorTitle = 'Could not end the sessions'
export const othersEndedToast = 'Other sessions ended'
export const browserNameLabel = {
  edge: 'Edge',
  opera: 'Opera',
  firefox: 'Firefox',
  chrome: 'Chrome',
  safari: 'Safari',
}
export const systemLabel = {
  android: 'Android',
  ios: 'iOS',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
}
