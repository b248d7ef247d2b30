// Texts of an instance's serial console, and of the tab that says how to connect.

import type { ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'

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
