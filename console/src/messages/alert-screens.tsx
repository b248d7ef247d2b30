import type { ReactNode } from 'react'

import type { AlertDeliveryState } from '~/api/generated/types.gen'
import { countOf } from '~/lib/text'

/** Texts of the screens for alert receivers. */

export const noSecretError = 'Requests cannot be signed without a secret'
export const sendProbeLabel = 'Send probe'
export const alertReceiverActionsLabel = 'Alert receiver actions'
export const noSecretTitle = 'No secret'
export const noSecretHelp =
  'Nothing is sent to this receiver until it has a secret. Deliveries wait until you add one.'
export const alertReceiverLabel = 'Alert receiver'
export const deliveriesLabel = 'Deliveries'
export const subscriptionsLabel = 'Subscriptions'
export const secretsLabel = 'Secrets'
export const endpointLabel = 'Endpoint'
export const createdLabel = 'Created'
export const lastModifiedLabel = 'Last modified'
export const kindLabel = 'Kind'
export const idLabel = 'ID'
export const addSecretTitle = 'Add secret'
export const addSecretLabel = 'Add secret'
export const secretHelp =
  'Generated at random. You can replace it with a secret that the endpoint already uses.'
export const addSubscriptionTitle = 'Add subscription'
export const addLabel = 'Add'
export const classOrPatternLabel = 'Class or pattern'
export const alertClassLabel = 'Alert class'
export const stateLabel = 'State'
export const triggerLabel = 'Trigger'
export const lastAttemptLabel = 'Last attempt'
export const startedLabel = 'Started'
export const confirmResendAlertTitle = 'Confirm resend alert'
export const alertResentToast = 'Alert resent'
export const couldNotResendAlertError = 'Could not resend alert'
export const viewAttemptsLabel = 'View attempts'
export const resendLabel = 'Resend'
export const deliveriesShownLabel = 'Deliveries shown'
export const deliveriesEmptyHelp =
  'Deliveries to this receiver will appear here. Test probes are not included.'
export const attemptLabel = 'Attempt'
export const resultLabel = 'Result'
export const sentLabel = 'Sent'
export const deliveryTitle = 'Delivery'
export const pendingDeliveryHelp =
  'It is retried one minute after the first attempt and five minutes after the second.'
export const failedDeliveryHelp =
  'It is not retried automatically. “Resend” creates another delivery of the same alert.'
export const alertIdLabel = 'Alert ID'
export const deliveryIdLabel = 'Delivery ID'
export const attemptsLabel = 'Attempts'
export const noAttemptsHelp = 'Nothing has been sent yet'
export const sendProbeTitle = 'Send probe'
export const resendUndeliveredText = 'If it responds, resend the alerts that could not be delivered'
export const probeResultTitle = 'Probe result'
export const doneLabel = 'Done'
export const responseLabel = 'Response'
export const resentLabel = 'Resent'
export const lastSecretDeletionQuestion =
  'This is the only secret. Nothing is sent to the receiver until you add another one.'
export const secretDeletionQuestion =
  'Requests are no longer signed with it. Endpoints that verify signatures with it must use another secret.'
export const secretDeletedToast = 'Secret deleted'
export const secretsHelp =
  'Each request is signed with every secret. To replace a secret, add the new one, configure the endpoint to use it, and then delete the old one.'
export const noSecretsTitle = 'No secrets'
export const noSecretsHelp = 'Requests must be signed, so nothing is sent without a secret'
export const subscriptionLabel = 'Subscription'
export const patternLabel = 'pattern'
export const classLabel = 'class'
export const matchingClassesLabel = 'Matching classes'
export const otherClassesTitle = 'Other classes'
export const confirmRemoveSubscriptionTitle = 'Confirm remove subscription'
export const couldNotRemoveSubscriptionError = 'Could not remove subscription'
export const addSubscriptionLabel = 'Add subscription'
export const noSubscriptionsTitle = 'No subscriptions'
export const noSubscriptionsHelp = 'Without a subscription, only probes are sent to this receiver'
export const alertsTitle = 'Alerts'
export const alertReceiversLabel = 'Alert receivers'
export const emptyTitle = 'No alert receivers'
export const emptyHelp = 'Create a receiver to be notified of alerts'
export const goToAlertReceiverLabel = 'Go to alert receiver'
export const otherSubscriptionsTitle = 'Other subscriptions'
export const noSecretsLabel = 'none'
export const newAlertReceiverLabel = 'New alert receiver'
export const subscriptionAddedToast = (name: string) => (
  <>
    Subscription <b>{name}</b> added
  </>
)

export const lastAttemptText = (attempt: number, result: string) => `${attempt} of 3: ${result}`
export const resendAlertQuestion = (alertClass: string, receiver: string) => (
  <>
    Are you sure you want to send this <b>{alertClass}</b> alert to <b>{receiver}</b> again? This
    creates another delivery, with a new ID.
  </>
)
export const noDeliveriesTitle: Record<AlertDeliveryState | 'all', string> = {
  all: 'No deliveries',
  pending: 'No pending deliveries',
  delivered: 'No successful deliveries',
  failed: 'No failed deliveries',
}
export const deliveryFilterLabel: Record<AlertDeliveryState | 'all', string> = {
  all: 'All deliveries',
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
}
export const probeHelp = (receiver: ReactNode) => (
  <>
    Sends a signed request without data to {receiver} to check whether it responds. This can take up
    to half a minute.
  </>
)
export const resentCountText = (count: number) => countOf(count, 'alert')
export const removeSubscriptionQuestion = (subscription: ReactNode, receiver: string) => (
  <>
    Are you sure you want to remove {subscription}? Alerts that match no other subscription are no
    longer sent to <b>{receiver}</b>.
  </>
)
