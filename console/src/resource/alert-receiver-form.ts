import type { WebhookCreate } from '~/api/generated/types.gen'
import * as text from '~/messages/alert'

/** The values of the form for a receiver. */
export interface AlertReceiverFormValues {
  name: string
  description: string
  endpoint: string
  /** Used only when a receiver is created. */
  secret: string
  subscriptions: string[]
}

/** Checks the URL that alerts are sent to. */
export function validateEndpoint(endpoint: string): string | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return text.endpointSchemeError
  return url.username || url.password ? text.endpointUserError : undefined
}

/** A random secret of 256 bits, in hexadecimal. */
export function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The body of `webhookReceiverCreate`. */
export const alertReceiverBody = (values: AlertReceiverFormValues): WebhookCreate => ({
  name: values.name,
  description: values.description,
  endpoint: values.endpoint.trim(),
  secrets: [values.secret],
  subscriptions: values.subscriptions,
})
