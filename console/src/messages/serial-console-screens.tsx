// Texts of an instance's serial console, and of the tab that says how to connect.

import type { ReactNode } from 'react'

import { Link } from '~/ui/link'

export const cliCommandLabel = 'CLI Command'
export const cliCommandTitle = 'CLI command'
export const copyCommandLabel = 'Copy command'
export const waitingText = 'Waiting for the instance to start before connecting.'
export const notRunningText = 'You can only connect to the serial console on a running instance.'
export const reconnectLabel = 'Reconnect'
export const checkAgainLabel = 'Check again'
export const connectingText = 'Connecting to serial console'
export const failedTitle = 'Serial console connection failed'
export const tryAgainText = 'Please try again.'
export const terminalLabel = 'Serial console'
export const scrollToTopLabel = 'Scroll to top'
export const scrollToBottomLabel = 'Scroll to bottom'
export const consoleTitle = 'Serial console'
export const consoleHelp = 'Connect to the instance’s serial port. This works without a network.'
export const connectLabel = 'Connect'
export const graphicalConsoleTitle = 'Graphical console'
export const graphicalConsoleHelp =
  'See the instance’s screen, and use its keyboard and mouse. For servers, the serial console is quicker and keeps a log.'
export const openScreenLabel = 'Open the screen'
export const sshTitle = 'SSH'
export const sshHelp =
  'Connect over the network with one of the SSH keys that the instance was created with.'
export const connectingLabel = 'connecting'
export const connectedLabel = 'connected'
export const disconnectedLabel = 'disconnected'
export const errorLabel = 'error'
export const pageTitle = (instance: string) => `Serial console of ${instance}`
export const backLabel = 'Back to instance'
export const instanceStateText = (state: string, reason: string) =>
  `The instance is ${state}. ${reason}`
export const leaveText = (keys: ReactNode) => (
  <>All keys are sent to the guest. {keys} leaves the terminal.</>
)
export const instanceIsText = (state: ReactNode) => <>The instance is {state}</>
export const sshText = (command: ReactNode) => (
  <>If the instance accepts SSH, connect with {command}</>
)
export const sshCommandText = (address = '[external IP]') => `ssh [username]@${address}`
export const noAddressText = (networkingPath: string) => (
  <>
    This instance has no external IP address. You can add one on the{' '}
    <Link
      href={networkingPath}
      className="rounded-sm text-accent-text underline decoration-accent-border underline-offset-2 hover:decoration-current"
    >
      networking
    </Link>{' '}
    tab.
  </>
)
export const controlKeyLabel = 'Ctrl'
export const shiftKeyLabel = 'Shift'

export const searchLabel = 'Search the log'
export const searchPlaceholder = 'Find in the whole log'
export const previousHitLabel = 'Previous match'
export const nextHitLabel = 'Next match'
export const closeSearchLabel = 'Close the search'
export const noHitsText = 'No matches'
export const hitText = (number: string, count: string) => `${number} of ${count}`
export const logLabel = 'Log of the serial console'
export const loadingLogLabel = 'Loading the log'
export const logErrorTitle = 'Could not read the log'
export const wrapLabel = 'Wrap lines'
export const downloadLabel = 'Download the log'
export const pasteLabel = 'Paste as keystrokes'
export const clipboardErrorTitle = 'Could not read the clipboard'
export const clipboardError =
  'The browser did not allow it. Press the keys that paste while the terminal has the focus.'
export const pasteTitle = (lines: string) => `Paste ${lines} lines?`
export const pasteQuestion = 'Each line is sent to the guest as if you had typed it:'
export const pasteErrorTitle = 'Could not paste'
export const morePastedText = (lines: number) =>
  lines === 1 ? 'and 1 more line' : `and ${lines} more lines`
export const pasteAllLabel = 'Paste'
export const lostText = (bytes: string) => `${bytes} bytes of output are no longer kept`
export const restartedText = 'The instance has started again'
export const reconnectingText = 'Reconnecting by itself.'
export const notConnectedError = 'The serial console is not connected'
