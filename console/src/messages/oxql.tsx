import type { ReactNode } from 'react'

import { countOf } from '~/lib/text'

/** Texts about OxQL queries. */

export const getHelp = 'read a timeseries'
export const filterHelp = 'filter by fields, time and value'
export const groupByHelp = 'group by fields and aggregate'
export const joinHelp = 'join tables by their fields'
export const firstHelp = 'keep the first points'
export const lastHelp = 'keep the last points'
export const isHelp = 'is'
export const isNotHelp = 'is not'
export const atLeastHelp = 'at least, or not before'
export const moreThanHelp = 'more than, or after'
export const atMostHelp = 'at most, or not after'
export const lessThanHelp = 'less than, or before'
export const matchesHelp = 'matches a regular expression'
export const andHelp = 'and'
export const orHelp = 'or'
export const nextOperationHelp = 'next operation'
export const meanOfMinuteHelp = 'mean of each minute'
export const meanOfFiveMinutesHelp = 'mean of each five minutes'
export const meanOfHourHelp = 'mean of each hour'
export const sumHelp = 'sum of the values'
export const meanHelp = 'mean of the values'
export const anHourAgoHelp = 'an hour ago'
export const aDayAgoHelp = 'a day ago'
export const aWeekAgoHelp = 'a week ago'
export const timestampHelp = 'timestamp of the point'
export const startTimeHelp = 'start of the counting interval'
export const datumHelp = 'value of the point'
export const fieldHelp = 'field'
export const docsTitle = 'Learn about metrics'
export const docsHelp =
  'Croft records metrics of instances, disks, network interfaces and the server itself, and keeps them for 30 days. Query them with OxQL: get a timeseries, filter it by time and fields, align its timestamps, and group its series.'
export const apiLabel = 'Queries in the API explorer'
export const queryLabel = 'Query'
export const completionsLabel = 'Completions'
export const emptyQueryError = 'Enter a query first'
export const runLabel = 'Run query'
export const recentQueriesLabel = 'Recent queries'
export const copyLinkLabel = 'Copy link'
export const emptyTitle = 'Run a query'
export const emptyHelp =
  'Enter an OxQL query, or select a timeseries to start with a query for its last hour.'
export const linkCopiedToast = 'Link copied'
export const errorPlaceTitle = (line: number, column: number) =>
  `Error in line ${line}, column ${column}`
export const failedTitle = 'The query could not be run'
export const errorPositionLabel = 'Error position'
export const resultLabel = 'Result'
export const nothingToDownloadError = 'There is no data to download'
export const downloadLabel = 'Download result'
export const distributionsHelp = 'Distributions are charted as the mean of their samples.'
export const textValuesHelp = 'Text values are not charted. The downloaded result includes them.'
export const seriesCutHelp = (shown: number, total: string) =>
  `Showing the first ${shown} of ${total} series.`
export const timeseriesTitle = 'Timeseries'
export const filterLabel = 'Filter timeseries'
export const noMatchText = 'No timeseries match'
export const noTimeseriesText =
  'No metrics have been recorded yet. Timeseries appear here once there is data.'
export const alignHelp = 'align timestamps'
export const keysHelp = (run: ReactNode, suggest: ReactNode, accept: ReactNode) => (
  <>
    {run} runs the query, {suggest} shows suggestions, {accept} accepts the first one.
  </>
)
export const requestIdText = (id: ReactNode) => <>Request ID {id}</>
export const countsText = (tables: number, series: number, points: number) =>
  `${countOf(tables, 'table')}, ${countOf(series, 'series', 'series')}, ${countOf(points, 'point')}`
