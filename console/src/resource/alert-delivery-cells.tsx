import type {
  AlertDeliveryState,
  WebhookDeliveryAttempt,
  WebhookDeliveryAttemptResult,
} from '~/api/generated/types.gen'
import * as text from '~/messages/alert'
import { Badge } from '~/ui/badge'
import type { BadgeTone } from '~/ui/badge'
import { Spinner } from '~/ui/spinner'

const STATES: Record<AlertDeliveryState, BadgeTone> = {
  pending: 'info',
  delivered: 'accent',
  failed: 'danger',
}

/** The state of a delivery. A pending one has a spinner. */
export const DeliveryStateBadge = ({ state }: { state: AlertDeliveryState }) => (
  <Badge tone={STATES[state]}>
    {state === 'pending' && <Spinner />}
    {state}
  </Badge>
)

const RESULTS: Record<WebhookDeliveryAttemptResult, string> = {
  succeeded: text.succeededLabel,
  failed_http_error: text.refusedLabel,
  failed_unreachable: text.unreachableLabel,
  failed_timeout: text.timedOutLabel,
}

/** The result of one attempt, for example `Succeeded, 204 in 12 ms`. */
export function attemptText({ result, response }: WebhookDeliveryAttempt): string {
  const label = RESULTS[result]
  return response ? text.attemptText(label, response.status, response.durationMs) : label
}
