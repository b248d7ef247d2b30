/** Texts about the charts of metrics. */

export const aboutLabel = 'About this metric'
export const viewQueryLabel = 'View OxQL query'
export const queryTitle = 'OxQL query'
export const learnMoreLabel = 'Learn more about OxQL'
export const openInMetricsLabel = 'Open in Metrics'
export const copyQueryLabel = 'Copy query'
export const queryLabel = 'Query'
export const aboutTitle = 'About this metric'
export const unitLabel = 'Unit'
export const kindLabel = 'Kind'
export const cumulativeHelp =
  'Cumulative since the instance started. Charts show the mean of the samples in each interval.'
export const fieldsLabel = 'Fields'
export const bytesLabel = 'Bytes'
export const countLabel = 'Count'
