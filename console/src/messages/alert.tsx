import type { ReactNode } from 'react'

/** Texts about alerts and alert receivers. */

export const succeededLabel = 'Succeeded'
export const refusedLabel = 'Refused'
export const unreachableLabel = 'Unreachable'
export const timedOutLabel = 'Timed out'
export const docsTitle = 'Learn about alerts'
export const docsHelp =
  'An alert reports something that operators should know about, such as a failed instance. Croft sends alerts to receivers: web addresses that subscribe to alert classes. Each request is signed with the receiver’s secrets and retried if it fails.'
export const receiversLabel = 'Alert receivers'
export const classesLabel = 'Alert classes'
export const receiverDeletedToast = (name: string) => (
  <>
    Alert receiver <b>{name}</b> deleted
  </>
)
export const deleteReceiverHelp =
  'Its secrets, subscriptions and deliveries are deleted too. Pending deliveries are canceled.'
export const receiverCreatedToast = (name: string) => (
  <>
    Alert receiver <b>{name}</b> created
  </>
)
export const createReceiverTitle = 'Create alert receiver'
export const secretHelp =
  'Signs requests so that the receiver can verify them. Shown once, after creation.'
export const receiverUpdatedToast = (name: string) => (
  <>
    Alert receiver <b>{name}</b> updated
  </>
)
export const editReceiverTitle = 'Edit alert receiver'
export const updateReceiverLabel = 'Update alert receiver'
export const endpointPlaceholder = 'https://example.com/alerts'
export const endpointHelp =
  'Alerts are sent to this URL by POST. The server’s configuration determines which networks can be reached.'
export const subscriptionsTitle = 'Subscriptions'
export const patternLabel = 'Class or pattern'
export const subscriptionLabel = 'Subscription'
export const removeSubscriptionLabel = (pattern: string) => `Remove ${pattern}`
export const endpointSchemeError = 'Must be an address with http:// or https://'
export const endpointUserError = 'Must not contain a user name or password'
export const alertClassesLabel = 'Alert classes'
export const matchesText = '(matches)'
export const noMatchText = 'No current class matches. Future classes may.'
export const attemptText = (result: string, status: number, milliseconds: number) =>
  `${result}, ${status} in ${milliseconds} ms`
export const patternHelp = (star: ReactNode, stars: ReactNode) => (
  <>
    The name of an alert class, or a pattern: {star} matches one segment of a name, {stars} matches
    one or more. {stars} alone matches every class, including future ones.
  </>
)

export const newSecretTitle = 'New secret'
export const copySecretLabel = 'Copy secret'
export const copySecretHelp =
  'Copy it to your endpoint now. It cannot be shown again. If you lose it, add another secret and delete this one.'
export const secretText = (receiver: ReactNode) => (
  <>Requests to {receiver} are signed with this secret:</>
)
