/** Charts, meters and what refreshes them. */

export const provisionedLabel = 'Provisioned'
export const capacityLabel = 'Capacity'
export const viewChartLabel = 'View as chart'
export const viewTableLabel = 'View as table'
export const downloadLabel = 'Download CSV'
export const nothingToDownloadError = 'There is no data to download'
export const seriesLabel = 'Series'
export const noValueLabel = 'no value'
export const timeLabel = 'Time'
export const valueLabel = 'Value'
export const emptyTitle = 'No data'
export const emptyHelp = 'There is no data for this time period.'
export const loadingLabel = 'Chart loading'
export const refreshIntervalLabel = 'Select a refresh interval'

export const amountText = (provisioned: string, capacity: string) => `${provisioned} of ${capacity}`

export const actionsLabel = (chart: string) => `${chart} actions`

export const overTimeLabel = (chart: string) => `${chart}, over time`

export const valuesLabel = (chart: string) => `${chart}, values`

export const latestPointsText = (shown: string, all: string) =>
  `Showing the latest ${shown} of ${all} points. Download the CSV file for all of them.`

export const moreSeriesText = (count: number) => `and ${count} more`

export const updatedText = (time: string) => `Updated ${time}`
