/** Texts of the screens for the audit log. */

export const auditLogEntryTitle = 'Audit log entry'
export const resultUnknownHelp =
  'The server stopped before it could record the result. The operation may or may not have been completed.'
export const resultLabel = 'Result'
export const completedLabel = 'Completed'
export const durationLabel = 'Duration'
export const actorLabel = 'Actor'
export const actorIdLabel = 'Actor ID'
export const authenticationLabel = 'Authentication'
export const requestLabel = 'Request'
export const copyRequestLabel = 'Copy request'
export const requestIdLabel = 'Request ID'
export const sourceLabel = 'Source'
export const userAgentLabel = 'User agent'
export const idLabel = 'ID'
export const openTheResourceLabel = 'Open the resource'
export const operationLabel = 'Operation'
export const viewEntryLabel = 'View entry'
export const auditLogLabel = 'Audit log'
export const noMatchTitle = 'No matching entries on this page'
export const clearFilterLabel = 'Clear the filter'
export const emptyTitle = 'No entries in this time range'
export const emptyHelp =
  'Every change and every sign-in is logged. Select a longer time range to see older entries.'
export const docsTitle = 'Learn about the audit log'
export const docsHelp =
  'The audit log records who changed what, when, from where, and with which result. Every operation that changes something and every sign-in has an entry, including failures. Entries cannot be changed.'
export const docsLabel = 'Audit log'
export const auditLogTitle = 'Audit log'
export const refreshHelp = 'The log is loaded when you open this page and when you refresh it.'
export const orderLabel = 'Order'
export const newestFirstLabel = 'Newest first'
export const oldestFirstLabel = 'Oldest first'
export const filterThisPageLabel = 'Filter this page'
export const allResultsLabel = 'All results'
export const successesLabel = 'Successes'
export const errorsLabel = 'Errors'
export const unknownResultsLabel = 'Unknown'
export const downloadFailedError = 'Could not download the audit log'
export const noEntriesError = 'There are no entries in this time range'
export const downloadAsCsvLabel = 'Download as CSV'
export const downloadAsJsonLabel = 'Download as JSON'
export const downloadLabel = 'Download'
export const matchingEntriesText = (shown: number, all: number) =>
  `${shown} of the ${all} entries on this page match. The filter applies only to this page. To search further, go to another page or narrow the time range.`
export const downloadCutToast = (count: number) =>
  `The file contains the first ${count} entries. Select a shorter time range to get the others.`
export const writeFailedError = 'The file could not be written.'
export const authenticationMethodLabel: Record<string, string | undefined> = {
  session_cookie: 'Browser session',
  token: 'Access token',
}
export const durationText = (milliseconds: number) => `${milliseconds} ms`
