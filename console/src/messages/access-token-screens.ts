/** Texts of the screens for access tokens in the settings. */

export const accessTokensTitle = 'Access Tokens'
export const accessTokensLabel = 'Access tokens'
export const docsTitle = 'Learn about access tokens'
export const docsHelp =
  'An access token lets a program, such as a command-line client, call the API on your behalf. A program requests a token by showing you a code. Delete tokens that are no longer needed.'
export const docsLabel = 'Device authorization in the API explorer'
export const emptyTitle = 'No access tokens'
export const emptyHelp = 'Your access tokens will appear here when they are created'
export const nameLabel = 'name'
export const idHelp =
  'The ID of the token’s record. The token itself is issued once, to the program that requested it.'
export const lastUsedLabel = 'Last used'
export const neverUsedText = 'Never'
export const expiresLabel = 'Expires'
export const renameLabel = 'Rename'
export const idLabel = 'ID'
