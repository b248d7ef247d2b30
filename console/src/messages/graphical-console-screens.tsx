// Texts of an instance's graphical console.

import type { ReactNode } from 'react'

export const pageTitle = (instance: string) => `Graphical console of ${instance}`
export const screenLabel = (instance: string) => `Screen of ${instance}`
export const leaveText = (keys: ReactNode) => (
  <>All keys are sent to the guest. {keys} leaves the screen.</>
)
export const viewOnlyText = 'View only: no keys and no mouse are sent to the guest.'
export const waitingText = 'Waiting for the instance to start before connecting.'
export const notRunningText = 'You can only connect to the graphical console on a running instance.'
export const connectingText = 'Connecting to graphical console'
export const failedTitle = 'Graphical console connection failed'
export const failedText =
  'Please try again. An instance that an earlier version of Croft started has no screen until it is stopped and started. The serial console works all the same.'
export const serialConsoleLabel = 'Serial console'

export const scaleLabel = 'Scale to the window'
export const fullScreenLabel = 'Full screen'
export const noFullScreenError = 'This browser has no full screen for a part of a page'
export const viewOnlyLabel = 'View only'
export const keysLabel = 'Send keys'
export const notConnectedError = 'The graphical console is not connected'
export const viewOnlyError = 'View only is on'
export const combinationLabel = {
  delete: 'Ctrl+Alt+Del',
  backspace: 'Ctrl+Alt+Backspace',
  altTab: 'Alt+Tab',
  altF4: 'Alt+F4',
  super: 'Super',
  print: 'Print',
  escape: 'Esc',
  tab: 'Tab',
}
export const terminalKeysLabel = (number: number) => `Ctrl+Alt+F${number}`
export const typeLabel = 'Type text'
export const typingError = 'The last text is still being typed'
