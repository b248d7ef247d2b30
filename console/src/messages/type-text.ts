// Texts of the dialog for a text that is typed on a screen.

export const typeTitle = 'Type text'
export const typeHelp =
  'It is sent to the guest key by key, as on a US keyboard. Other characters may not arrive.'
export const typeFieldLabel = 'Text'
export const typeButtonLabel = 'Type'
export const noTextError = 'Enter a text first'
