/** Texts of the screens for sessions in the settings. */

export const sessionsTitle = 'Sessions'
export const sessionsLabel = 'Sessions'
export const docsTitle = 'Learn about sessions'
export const docsHelp =
  'A session starts when you sign in with a browser. It ends when you sign out, after some hours without use, or after a day. If you do not recognize a session, end it and change your password.'
export const docsLabel = 'Sessions in the API explorer'
export const emptyTitle = 'No sessions'
export const emptyHelp = 'Browsers in which you sign in will appear here'
export const browserLabel = 'Browser'
export const currentSessionLabel = 'this one'
export const addressLabel = 'Address'
export const unknownAddressText = 'Unknown'
export const signedInLabel = 'Signed in'
export const lastUsedLabel = 'Last used'
export const endLabel = 'End'
export const currentSessionError = 'To end the current session, sign out'
export const endOtherSessionsLabel = 'End other sessions'
