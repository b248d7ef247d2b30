/** Path of the list of alert receivers. */
export const ALERTS_PATH = '/system/alerts'

/** Path of a receiver and its deliveries. */
export const alertReceiverPath = (name: string): string => `${ALERTS_PATH}/${name}`
