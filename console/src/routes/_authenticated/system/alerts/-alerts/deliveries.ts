import type { AlertDelivery, AlertDeliveryState } from '~/api/generated/types.gen'

/** Which deliveries are shown. */
export type DeliveryFilter = AlertDeliveryState | 'all'

/** Parameters of the list of a receiver's deliveries, the latest first. */
export const deliveriesOf = (receiver: string, state: DeliveryFilter = 'all') => ({
  path: { receiver },
  query: {
    ...(state !== 'all' && { [state]: true }),
    sortBy: 'time_and_id_descending' as const,
  },
})

/** Milliseconds until deliveries are refetched, or `false` if none of them is pending. */
export const deliveriesInterval = (items: readonly AlertDelivery[] | undefined): number | false =>
  items?.some(({ state }) => state === 'pending') ? 5_000 : false
