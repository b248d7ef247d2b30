/** Texts of the screens for the metrics of the system. */

export const metricsTitle = 'Metrics'
